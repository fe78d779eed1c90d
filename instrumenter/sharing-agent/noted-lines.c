/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of a line's state: whose it is, in which epoch, and when it gets a record. Which other
 * thread was there before in the same epoch is seen however the threads' time slices fell.
 */
#include "noted-lines.h"

#include "line-records.h"
#include "near-lines.h"

#include <stdio.h>
#include <sys/mman.h>

struct noted_line *noted_lines;

enum {
	PAGE = 4096,
	PAGES_AT_ONCE = 1024,
	LONGEST_MAP = 1 << 9 /* bytes of a line of the list of mappings */
};

/* Our own reservations are larger than any memory. */
static const uintptr_t largest_mapping = (uintptr_t)1 << 40;

enum { MEAN_PERIOD = SAMPLE_LEAST + (SAMPLE_SPREAD - 1) / 2 };

static size_t reserved_bytes(void)
{
	return sizeof(struct noted_line) << (ADDRESS_BITS - LINE_SHIFT);
}

bool noted_lines_begin(void)
{
	void *memory = mmap(NULL, reserved_bytes(), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	madvise(memory, reserved_bytes(), MADV_DONTDUMP);
	madvise(memory, reserved_bytes(), MADV_NOHUGEPAGE);
	noted_lines = memory;
	return true;
}

static void set_place(struct noted_line *line, uintptr_t place)
{
	store_relaxed(&line->sample, place & LINE_ADDRESS);
}

void note_sample(struct noting_thread *self, struct noted_line *line, uintptr_t place)
{
	uint64_t count = load_relaxed(&line->sample) >> SAMPLE_SHIFT;

	if (count + 1 < LINE_SAMPLES_END)
		count++;
	store_relaxed(&line->sample, count << SAMPLE_SHIFT | (place & LINE_ADDRESS));
	noting_thread_sampled(self);
}

/* What the thread or threads that were there before have done, as the state has it. */
static struct earlier_share earlier_of(uint64_t state, uint64_t sample)
{
	const uint64_t owner = state >> THREAD_SHIFT & LINE_SEVERAL;

	return (struct earlier_share){
	    .thread = owner == LINE_SEVERAL ? 0 : (uint32_t)owner,
	    .read = state & LINE_WORDS,
	    .written = state >> WRITTEN_SHIFT & LINE_WORDS,
	    .has_parts = (state & LINE_PARTS) != 0,
	    .accesses = (sample >> SAMPLE_SHIFT) * MEAN_PERIOD + 1,
	    .place = sample & LINE_ADDRESS,
	};
}

/* Gives the line a record; returns the new state, or the one that another thread has stored. */
static uint64_t promote(
    struct noting_thread *self, struct noted_line *line, uint64_t state, uintptr_t address)
{
	struct earlier_share earlier = earlier_of(state, load_relaxed(&line->sample));

	earlier.in_tasks = self->is_in_task;
	struct line_record *record = line_record_new(address, self->epoch, &earlier);
	const uint64_t next = record != NULL ? LINE_HAS_RECORD | (uintptr_t)record
					     : (state & LINE_OWNER) | LINE_UNRECORDED;

	if (exchange_if_release(&line->state, &state, next))
		return next;
	line_record_free(record);
	return state;
}

static struct line_record *record_of(uint64_t state)
{
	return (struct line_record *)(uintptr_t)(state & LINE_ADDRESS);
}

/* The state after the access; the same: the line needs a record. */
static uint64_t state_after(const struct noting_thread *self, uint64_t state, uint64_t words)
{
	const uint64_t epoch = self->tag & (LINE_EPOCHS << EPOCH_SHIFT);
	const uint64_t owner = state & LINE_OWNER;
	const uint64_t written = LINE_WORDS << WRITTEN_SHIFT;

	if (state == 0 || (state & (LINE_EPOCHS << EPOCH_SHIFT)) != epoch)
		return self->tag | words;
	if (owner == self->tag)
		return state | words;
	if (((state | words) & written) == 0)
		return self->tag_of_several | (state & (LINE_WORDS | LINE_PARTS)) | words;
	return state;
}

static void end_line_epoch(const struct noted_line *line, uint64_t state, uintptr_t address)
{
	const uint64_t sample = load_relaxed(&line->sample);

	if (sample >> SAMPLE_SHIFT >= NEAR_OFTEN)
		near_lines_remember(address & -(uintptr_t)SHARING_LINE_BYTES, state, sample);
}

void note_slowly(struct noting_thread *self, const struct noted_access *access)
{
	struct noted_line *line = noted_line_at(access->address);
	const uint64_t words = noted_words(access->address, access->size, access->writes);
	uint64_t state = load_acquire(&line->state);

	for (;;) {
		if ((state & LINE_HAS_RECORD) != 0) {
			line_record_note(self, record_of(state), access);
			return;
		}
		if ((state & LINE_UNRECORDED) != 0)
			break;
		const uint64_t next = state_after(self, state, words), before = state;
		if (next == state) {
			state = promote(self, line, state, access->address);
			continue;
		}
		if (!exchange_if_release(&line->state, &state, next))
			continue;
		if ((before & LINE_OWNER) != (next & LINE_OWNER)) {
			end_line_epoch(line, before, access->address);
			set_place(line, access->place);
		}
		break;
	}
	if (--self->countdown == 0)
		noting_thread_sampled(self);
}

/* Records stay in the list of all; the line may get another one. */
static void forget(struct noted_line *line, const struct noted_line *end)
{
	for (; line < end; line++)
		if (load_relaxed(&line->state) != 0) {
			store_relaxed(&line->state, 0);
			store_relaxed(&line->sample, 0);
		}
}

void noted_lines_forget(uintptr_t start, size_t size)
{
	const uintptr_t inside = SHARING_LINE_BYTES - 1, page = 4096;
	const uintptr_t end = (start + size) & ~inside;

	start = (start + inside) & ~inside;
	if (noted_lines == NULL || start >= end)
		return;
	const uintptr_t from = (uintptr_t)noted_line_at(start), to = from + (end - start) / 4;
	const uintptr_t first = (from + page - 1) & -page, last = to & -page;
	/* Pages of large blocks go as they are, and cost little if they were never touched. */
	if (last < first + 16 * page) {
		forget((struct noted_line *)from, (struct noted_line *)to);
		return;
	}
	forget((struct noted_line *)from, (struct noted_line *)first);
	madvise((void *)first, last - first, MADV_DONTNEED);
	forget((struct noted_line *)last, (struct noted_line *)to);
}

/* The lines whose states are in a page. */
static void remember_page(uintptr_t states)
{
	const uintptr_t offset = states - (uintptr_t)noted_lines;
	const uintptr_t begin = offset / sizeof(struct noted_line) << LINE_SHIFT;
	const uintptr_t end = begin + ((uintptr_t)PAGE / sizeof(struct noted_line) << LINE_SHIFT);

	for (uintptr_t line = begin; line < end; line += SHARING_LINE_BYTES) {
		const struct noted_line *noted = noted_line_at(line);
		const uint64_t state = load_relaxed(&noted->state);
		if (state != 0)
			near_lines_remember(line, state, load_relaxed(&noted->sample));
	}
}

static void remember_mapping(uintptr_t begin, uintptr_t end)
{
	static unsigned char exists[PAGES_AT_ONCE];
	const uintptr_t page = PAGE;
	uintptr_t from = (uintptr_t)noted_line_at(begin) & -page;
	const uintptr_t to = (uintptr_t)noted_line_at(end - 1) + 1;

	for (; from < to; from += (uintptr_t)PAGES_AT_ONCE * PAGE) {
		const uintptr_t rest = (to - from + page - 1) / page;
		const size_t pages = rest < PAGES_AT_ONCE ? rest : PAGES_AT_ONCE;
		if (mincore((void *)from, pages * page, exists) != 0)
			return;
		for (size_t i = 0; i < pages; i++)
			if ((exists[i] & 1) != 0)
				remember_page(from + i * page);
	}
}

void noted_lines_end_all(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char text[LONGEST_MAP], rights[8];
	uintptr_t begin, end;

	while (noted_lines != NULL && maps != NULL && fgets(text, sizeof text, maps) != NULL)
		if (sscanf(text, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w' &&
		    end - begin < largest_mapping)
			remember_mapping(begin, end);
	if (maps != NULL)
		fclose(maps);
}
