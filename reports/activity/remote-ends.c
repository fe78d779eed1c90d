/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements remote-ends.h. A thread's ends form two sequences that ascend in time. An end waits in
 * a queue until all earlier ones are known, and then goes to the first sequence. If the queue is
 * full, its first element leaves it unknown, and goes to the second sequence once it is known. What
 * is out of order in both is kept as it is, and sorted at the end.
 *
 * An end is stored as the step from the end before, the time from its cause, and the cause's
 * thread. A sequence's pieces begin small, so that threads with few ends need little memory.
 */
#include "remote-ends.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "numbers.h"
#include "path.h"
#include "shared/precondition.h"
#include "shared/search.h"
#include "spill.h"

enum { PIECE_FIRST = 64, PIECE_MOST = 512, END_LONGEST = 2 * NUMBER_BYTES + 5, SEQUENCES = 2 };
_Static_assert(END_LONGEST <= PIECE_FIRST, "a piece has at least one end");

struct ends_piece {
	uint64_t to; /* of its last end */
	uint64_t at;
	uint32_t size;
};

struct sequence {
	struct ends_piece *pieces;
	size_t count, room;
	unsigned char *bytes; /* the ends after those of the pieces */
	uint32_t used, most;  /* of the bytes */
	uint64_t to;          /* of the last end */
};

struct open_end {
	struct remote_end end;
	bool is_known;
};

struct thread_ends {
	struct sequence sequences[SEQUENCES];
	struct open_end *open; /* from `first` on */
	size_t first, count, room;
	uint64_t number; /* of the first open end */
};

/* An end outside of the sequences. */
struct odd_end {
	uint32_t thread;
	struct remote_end end;
};

struct remote_ends {
	struct thread_ends **threads; /* NULL: without ends */
	size_t thread_count;
	struct odd_end *odd;
	size_t odd_count, odd_room;
	struct spill *spill;
};

struct remote_ends *remote_ends_new(size_t threads, size_t memory_max)
{
	struct remote_ends *ends = memory_new(1, sizeof(*ends));

	ends->threads = memory_new(threads, sizeof(ends->threads[0]));
	ends->thread_count = threads;
	ends->spill = spill_new(memory_max);
	return ends;
}

static void free_thread(struct thread_ends *thread)
{
	if (!thread)
		return;
	for (size_t i = 0; i < SEQUENCES; i++) {
		free(thread->sequences[i].pieces);
		free(thread->sequences[i].bytes);
	}
	free(thread->open);
	free(thread);
}

void remote_ends_free(struct remote_ends *ends)
{
	if (!ends)
		return;
	for (size_t i = 0; i < ends->thread_count; i++)
		free_thread(ends->threads[i]);
	free(ends->threads);
	free(ends->odd);
	spill_free(ends->spill);
	free(ends);
}

static struct thread_ends *find_thread(struct remote_ends *ends, uint32_t thread)
{
	CHECK(thread < ends->thread_count, "there is such a thread");

	if (!ends->threads[thread])
		ends->threads[thread] = memory_new(1, sizeof(*ends->threads[thread]));
	return ends->threads[thread];
}

/* The end of the last piece before that number: where the next one starts from. */
static uint64_t base_of(const struct sequence *sequence, size_t piece)
{
	return piece > 0 ? sequence->pieces[piece - 1].to : 0;
}

static void put_away(struct spill *spill, struct sequence *sequence)
{
	struct spill_piece piece = spill_put(spill, sequence->bytes, sequence->used);

	*MEMORY_ADD(sequence->pieces, sequence->room, sequence->count) =
	    (struct ends_piece){sequence->to, piece.at, piece.size};
	sequence->used = 0;
}

/* Makes room for one more end. */
static void make_room(struct spill *spill, struct sequence *sequence)
{
	if (sequence->used + END_LONGEST > sequence->most && sequence->used > 0)
		put_away(spill, sequence);
	if (sequence->used == 0 && sequence->most < PIECE_MOST) {
		free(sequence->bytes);
		sequence->most = sequence->most == 0 ? PIECE_FIRST : 2 * sequence->most;
		sequence->bytes = memory_new(sequence->most, 1);
	}
}

/* Returns false if the end is not after those of the sequence. */
static bool append(struct spill *spill, struct sequence *sequence, const struct remote_end *end)
{
	unsigned char *at;
	uint64_t before;

	if (sequence->most > 0 && end->to <= sequence->to)
		return false;
	make_room(spill, sequence);
	before = sequence->used > 0 ? sequence->to : base_of(sequence, sequence->count);
	at = number_put(sequence->bytes + sequence->used, end->to - before);
	at = number_put(at, number_of_step(end->at, end->to));
	at = number_put(at, end->by);
	sequence->used = (uint32_t)(at - sequence->bytes);
	sequence->to = end->to;
	return true;
}

/* To the first sequence from `from` on that it fits in. */
static void put(
    struct remote_ends *ends, uint32_t thread, size_t from, const struct remote_end *end)
{
	struct thread_ends *of_thread = find_thread(ends, thread);

	if (end->by == PATH_NONE)
		return;
	for (size_t i = from; i < SEQUENCES; i++) {
		if (append(ends->spill, &of_thread->sequences[i], end))
			return;
	}
	*MEMORY_ADD(ends->odd, ends->odd_room, ends->odd_count) = (struct odd_end){thread, *end};
}

/* Moves what is known at the beginning of the queue to the first sequence. */
static void advance(struct remote_ends *ends, uint32_t thread, struct thread_ends *of_thread)
{
	while (of_thread->first < of_thread->count && of_thread->open[of_thread->first].is_known) {
		put(ends, thread, 0, &of_thread->open[of_thread->first].end);
		of_thread->first++;
		of_thread->number++;
	}
	if (of_thread->first < of_thread->count - of_thread->first)
		return;
	/* At least half of the queue is free, so that moving the rest costs little for each end. */
	memmove(of_thread->open, of_thread->open + of_thread->first,
	    (of_thread->count - of_thread->first) * sizeof(of_thread->open[0]));
	of_thread->count -= of_thread->first;
	of_thread->first = 0;
}

uint64_t remote_ends_open(struct remote_ends *ends, uint32_t thread, uint64_t to)
{
	struct thread_ends *of_thread = find_thread(ends, thread);

	if (of_thread->count - of_thread->first == REMOTE_OPEN_MOST) {
		of_thread->first++; /* it will be known late */
		of_thread->number++;
		advance(ends, thread, of_thread);
	}
	*MEMORY_ADD(of_thread->open, of_thread->room, of_thread->count) =
	    (struct open_end){.end = {.to = to}};
	return of_thread->number + (of_thread->count - 1 - of_thread->first);
}

void remote_ends_know(
    struct remote_ends *ends, uint32_t thread, uint64_t number, const struct remote_end *end)
{
	struct thread_ends *of_thread = find_thread(ends, thread);

	if (number < of_thread->number) {
		put(ends, thread, 1, end);
		return;
	}
	CHECK(number - of_thread->number < of_thread->count - of_thread->first, "it was opened");
	of_thread->open[of_thread->first + (size_t)(number - of_thread->number)] =
	    (struct open_end){*end, true};
	advance(ends, thread, of_thread);
}

void remote_ends_add(struct remote_ends *ends, uint32_t thread, const struct remote_end *end)
{
	put(ends, thread, 0, end);
}

static int compare_odd(const void *first, const void *second)
{
	const struct odd_end *one = first, *other = second;

	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	return (one->end.to > other->end.to) - (one->end.to < other->end.to);
}

void remote_ends_finish(struct remote_ends *ends)
{
	for (size_t i = 0; i < ends->thread_count; i++) {
		struct thread_ends *thread = ends->threads[i];

		if (!thread)
			continue;
		for (size_t j = thread->first; j < thread->count; j++) {
			if (thread->open[j].is_known)
				put(ends, (uint32_t)i, 0, &thread->open[j].end);
		}
		free(thread->open);
		thread->open = NULL;
		thread->first = thread->count = thread->room = 0;
	}
	if (ends->odd_count > 0)
		qsort(ends->odd, ends->odd_count, sizeof(ends->odd[0]), compare_odd);
}

/* The bytes of one piece, or of those after the pieces, while they are decoded. */
struct piece_reader {
	unsigned char copy[PIECE_MOST];
	const unsigned char *at, *end;
	uint64_t to;
};

static void open_piece(struct piece_reader *reader, struct spill *spill,
    const struct sequence *sequence, size_t number)
{
	reader->to = base_of(sequence, number);
	if (number == sequence->count) {
		reader->at = sequence->bytes;
		reader->end = reader->at + sequence->used;
		return;
	}
	const struct ends_piece *piece = &sequence->pieces[number];
	spill_get(
	    spill, (struct spill_piece){piece->at, piece->size}, 0, reader->copy, piece->size);
	reader->at = reader->copy;
	reader->end = reader->copy + piece->size;
}

static bool read_end(struct piece_reader *reader, struct remote_end *end)
{
	if (reader->at == reader->end)
		return false;
	reader->to += number_get(&reader->at);
	end->to = reader->to;
	end->at = end->to - number_step(0, number_get(&reader->at));
	end->by = (uint32_t)number_get(&reader->at);
	return true;
}

/* The last end of the sequence until that time. */
static bool last_until(
    struct spill *spill, const struct sequence *sequence, uint64_t time, struct remote_end *found)
{
	struct piece_reader reader;
	struct remote_end end;
	bool is_found = false;
	size_t number;

	if (sequence->most == 0)
		return false;
	SEARCH(number, sequence->count, sequence->pieces[number].to <= time);
	/* It is in this piece, or the last one of the piece before. */
	for (size_t tries = 0; !is_found && tries < 2; tries++) {
		open_piece(&reader, spill, sequence, number);
		while (read_end(&reader, &end) && end.to <= time) {
			*found = end;
			is_found = true;
		}
		if (number-- == 0)
			break;
	}
	return is_found;
}

static bool find_odd(
    const struct remote_ends *ends, uint32_t thread, uint64_t to, struct remote_end *found)
{
	struct odd_end key = {thread, {.to = to}};
	const struct odd_end *odd = ends->odd_count > 0 ? bsearch(&key, ends->odd, ends->odd_count,
							      sizeof(key), compare_odd)
							: NULL;

	if (odd)
		*found = odd->end;
	return odd;
}

bool remote_ends_find(
    struct remote_ends *ends, uint32_t thread, uint64_t to, struct remote_end *found)
{
	const struct thread_ends *of_thread = ends->threads[thread];

	for (size_t i = 0; of_thread && i < SEQUENCES; i++) {
		if (last_until(ends->spill, &of_thread->sequences[i], to, found) && found->to == to)
			return true;
	}
	return find_odd(ends, thread, to, found);
}

bool remote_ends_before(
    struct remote_ends *ends, uint32_t thread, uint64_t time, struct remote_end *found)
{
	const struct thread_ends *of_thread = ends->threads[thread];

	return of_thread && last_until(ends->spill, &of_thread->sequences[0], time, found);
}

void remote_ends_for_each(struct remote_ends *ends, uint32_t thread,
    void (*visit)(void *context, const struct remote_end *end), void *context)
{
	const struct thread_ends *of_thread = ends->threads[thread];
	struct piece_reader reader;
	struct remote_end end;

	for (size_t i = 0; of_thread && i < SEQUENCES; i++) {
		const struct sequence *sequence = &of_thread->sequences[i];

		for (size_t number = 0; sequence->most > 0 && number <= sequence->count; number++) {
			open_piece(&reader, ends->spill, sequence, number);
			while (read_end(&reader, &end))
				visit(context, &end);
		}
	}
	size_t odd;
	SEARCH(odd, ends->odd_count, ends->odd[odd].thread < thread);
	for (; odd < ends->odd_count && ends->odd[odd].thread == thread; odd++)
		visit(context, &ends->odd[odd].end);
}
