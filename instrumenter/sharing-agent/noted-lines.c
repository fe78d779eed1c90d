/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of a line's state: whose it is, in which epoch, and when it gets a record. Which other
 * thread was there before in the same epoch is seen however the threads' time slices fell.
 */
#include "noted-lines.h"

#include "first-touch.h"
#include "line-records.h"
#include "line-moves.h"
#include "near-lines.h"

#include <stdio.h>
#include <sys/mman.h>

enum {
	PAGE = 4096,
	PAGES_AT_ONCE = 1024,
	LONGEST_MAP = 1 << 9 /* bytes of a line of the list of mappings */
};

/* Memory for whose lines the states are in one page. */
#define PAGE_COVERS ((uintptr_t)PAGE / sizeof(uint64_t) << LINE_SHIFT)

/* Our own reservations are larger than any memory. */
static const uintptr_t largest_mapping = (uintptr_t)1 << 40;

static size_t reserved_bytes(void)
{
	return 2 * NOTED_LINES * sizeof *noted_states;
}

bool noted_lines_begin(void)
{
	void *memory = mmap(NULL, reserved_bytes(), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	madvise(memory, reserved_bytes(), MADV_DONTDUMP);
	madvise(memory, reserved_bytes(), MADV_NOHUGEPAGE);
	noted_states = memory;
	return true;
}

/* Counts the sample as a use of its page. */
static void note_use(struct noting_thread *self, const struct noted_access *access)
{
	const uint64_t state = load_relaxed(noted_state_at(access->address));

	first_touch_use(self, &(struct touch_access){access->address, access->place, access->writes,
				  (state >> THREAD_SHIFT & LINE_SEVERAL) == LINE_SEVERAL});
}

void note_sample(uintptr_t address, bool writes, uintptr_t place)
{
	struct noting_thread *self = &noting_self;
	_Atomic uint64_t *sample = noted_sample_at(address);
	uint64_t count = load_relaxed(sample) >> SAMPLE_SHIFT;

	if (count + 1 < LINE_SAMPLES_END)
		count++;
	store_relaxed(sample, count << SAMPLE_SHIFT | (place & LINE_ADDRESS));
	note_use(self, &(struct noted_access){address, 1, writes, place});
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
	    .accesses = (sample >> SAMPLE_SHIFT) * SAMPLE_MEAN + 1,
	    .place = sample & LINE_ADDRESS,
	};
}

/* Gives the line a record; returns the new state, or the one that another thread has stored. */
static uint64_t promote(struct noting_thread *self, uint64_t state, uintptr_t address)
{
	struct earlier_share earlier = earlier_of(state, load_relaxed(noted_sample_at(address)));

	earlier.in_tasks = self->is_in_task;
	struct line_record *record = line_record_new(address, self->epoch, &earlier);
	const uint64_t next = record != NULL ? LINE_HAS_RECORD | (uintptr_t)record
					     : (state & LINE_OWNER) | LINE_UNRECORDED;

	if (exchange_if_release(noted_state_at(address), &state, next)) {
		line_moves_take_back(self, state, load_relaxed(noted_sample_at(address)), address);
		return next;
	}
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
		return self->tag | words | line_moves_marks(self, state, (words & written) != 0);
	if (owner == self->tag)
		return state | words;
	if (((state | words) & written) == 0)
		return self->tag_of_several | (state & (LINE_WORDS | LINE_PARTS)) | words;
	return state;
}

/* The line is another thread's from now on, or of another epoch. */
static void change_owner(
    struct noting_thread *self, uint64_t before, uint64_t state, const struct noted_access *access)
{
	const uint64_t sample = load_relaxed(noted_sample_at(access->address));

	if (((before ^ state) & (LINE_EPOCHS << EPOCH_SHIFT)) == 0 && before != 0)
		line_moves_take_back(self, before, sample, access->address);
	else
		line_moves_note(self, before, sample, state, access);
	if (sample >> SAMPLE_SHIFT >= NEAR_OFTEN)
		near_lines_remember(
		    access->address & -(uintptr_t)SHARING_LINE_BYTES, before, sample);
	store_relaxed(noted_sample_at(access->address), access->place & LINE_ADDRESS);
}

static void note_slowly(struct noting_thread *self, const struct noted_access *access)
{
	_Atomic uint64_t *at = noted_state_at(access->address);
	const uint64_t words = noted_words(access->address, access->size, access->writes);
	uint64_t state = load_acquire(at);

	for (;;) {
		if ((state & LINE_HAS_RECORD) != 0) {
			line_record_note(self, record_of(state), access);
			return;
		}
		if ((state & LINE_UNRECORDED) != 0)
			break;
		const uint64_t next = state_after(self, state, words), before = state;
		if (next == state) {
			state = promote(self, state, access->address);
			continue;
		}
		if (!exchange_if_release(at, &state, next))
			continue;
		if (before == 0)
			first_touch_line(self, access->address, access->place);
		if ((before & LINE_OWNER) != (next & LINE_OWNER))
			change_owner(self, before, next, access);
		break;
	}
	if (--self->countdown == 0) {
		note_use(self, access);
		noting_thread_sampled(self);
	}
}

/* The access is within one line. */
static void note_within_line(
    struct noting_thread *self, uintptr_t address, uint32_t size, bool writes, uintptr_t place)
{
	const uint64_t state = load_relaxed(noted_state_at(address));
	const uint64_t words = noted_words(address, size, writes);
	const uint64_t owner = state & LINE_OWNER;

	if ((owner == self->tag || (owner == self->tag_of_several && !writes)) &&
	    (state & words) == words) {
		if (--self->countdown == 0)
			note_sample(address, writes, place);
		return;
	}
	note_slowly(self, &(struct noted_access){address, size, writes, place});
}

void note_access(uintptr_t address, size_t size, bool writes, uintptr_t place)
{
	struct noting_thread *self = &noting_self;

	if (self->tag == 0 && !noting_thread_begin(self))
		return;
	while (size > 0) {
		const size_t left = SHARING_LINE_BYTES - address % SHARING_LINE_BYTES;
		const size_t now = size < left ? size : left;
		note_within_line(self, address, (uint32_t)now, writes, place);
		address += now;
		size -= now;
	}
}

/* Records stay in the list of all; a line may get another one. Both are begins of lines. */
static void forget(uintptr_t from, uintptr_t to)
{
	for (uintptr_t line = from; line < to; line += SHARING_LINE_BYTES)
		if (load_relaxed(noted_state_at(line)) != 0) {
			store_relaxed(noted_state_at(line), 0);
			store_relaxed(noted_sample_at(line), 0);
		}
}

void noted_lines_forget(uintptr_t start, size_t size)
{
	const uintptr_t inside = SHARING_LINE_BYTES - 1;
	const uintptr_t end = (start + size) & ~inside;

	start = (start + inside) & ~inside;
	if (noted_states == NULL || start >= end)
		return;
	const uintptr_t first = (start + PAGE_COVERS - 1) & -PAGE_COVERS, last = end & -PAGE_COVERS;
	/* Pages of large blocks go as they are, and cost little if they were never touched. */
	if (last < first + 16 * PAGE_COVERS) {
		forget(start, end);
		return;
	}
	const size_t bytes = (last - first) / PAGE_COVERS * PAGE;
	forget(start, first);
	madvise((void *)(uintptr_t)noted_state_at(first), bytes, MADV_DONTNEED);
	madvise((void *)(uintptr_t)(noted_state_at(first) + NOTED_LINES), bytes, MADV_DONTNEED);
	forget(last, end);
}

/* The lines whose states are in the page of that of this one. */
static void remember_page(uintptr_t begin)
{
	for (uintptr_t line = begin; line < begin + PAGE_COVERS; line += SHARING_LINE_BYTES) {
		const uint64_t state = load_relaxed(noted_state_at(line));
		if (state != 0)
			near_lines_remember(line, state, load_relaxed(noted_sample_at(line)));
	}
}

static void remember_mapping(uintptr_t begin, uintptr_t end)
{
	static unsigned char exists[PAGES_AT_ONCE];

	for (uintptr_t from = begin & -PAGE_COVERS; from < end;
	     from += PAGES_AT_ONCE * PAGE_COVERS) {
		const uintptr_t rest = (end - from + PAGE_COVERS - 1) / PAGE_COVERS;
		const size_t pages = rest < PAGES_AT_ONCE ? rest : PAGES_AT_ONCE;
		if (mincore((void *)(uintptr_t)noted_state_at(from), pages * PAGE, exists) != 0)
			return;
		for (size_t i = 0; i < pages; i++)
			if ((exists[i] & 1) != 0)
				remember_page(from + i * PAGE_COVERS);
	}
}

void noted_lines_end_all(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char text[LONGEST_MAP], rights[8];
	uintptr_t begin, end;

	while (noted_states != NULL && maps != NULL && fgets(text, sizeof text, maps) != NULL)
		if (sscanf(text, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w' &&
		    end - begin < largest_mapping)
			remember_mapping(begin, end);
	if (maps != NULL)
		fclose(maps);
}
