/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When there is no more room, neighbours become one, and later pieces are larger. A stretch says
 * how long its longest piece was: within that, how the time is spread is not known.
 */
#include "loop-pieces.h"

enum { BLOCK_PARTS = 64 }; /* pieces of a thread's block at first */

/* The share of the loop's time by which a stretch may differ from its pieces. */
#define EXACTNESS 0.005

/* Neighbours become one, so that half of the room is free. */
static void halve(struct loop_pieces *pieces)
{
	size_t count = 0;

	for (size_t i = 0; i + 1 < pieces->count; i += 2) {
		const struct loop_piece *one = &pieces->pieces[i], *two = one + 1;
		uint64_t ticks = one->ticks + two->ticks;
		pieces->pieces[count++] = (struct loop_piece){one->begin, two->end, ticks, ticks};
	}
	pieces->count = count;
	pieces->least *= 2;
}

void loop_pieces_begin(
    struct loop_pieces *pieces, uint64_t iterations, uint32_t size, uint64_t least)
{
	uint64_t block = iterations / size;

	pieces->most = block / BLOCK_PARTS + (block % BLOCK_PARTS != 0);
	pieces->most += pieces->most == 0;
	pieces->size = pieces->most;
	pieces->least = least;
	pieces->count = 0;
}

/* The next piece is to take `least`; its size changes by no more than twice at a time. */
static void fit_size(struct loop_pieces *pieces, uint64_t ticks)
{
	if (ticks > pieces->least * 2)
		pieces->size = (pieces->size + 1) / 2;
	else if (ticks < pieces->least / 2 && pieces->size < pieces->most)
		pieces->size = pieces->size * 2 < pieces->most ? pieces->size * 2 : pieces->most;
}

void loop_pieces_add(struct loop_pieces *pieces, uint64_t low, uint64_t high, uint64_t ticks)
{
	struct loop_piece *last = pieces->count > 0 ? &pieces->pieces[pieces->count - 1] : NULL;

	fit_size(pieces, ticks);
	if (last != NULL && last->ticks + ticks < pieces->least && low >= last->end) {
		last->end = high;
		last->ticks += ticks;
		last->grain = last->ticks;
		return;
	}
	if (pieces->count == LOOP_PIECES)
		halve(pieces);
	pieces->pieces[pieces->count++] = (struct loop_piece){low, high, ticks, ticks};
}

/*
 * How many pieces from `first` on one stretch describes: the line from its begin to its end passes
 * each inner end of a piece at a distance of at most `off` ticks.
 */
static size_t stretch_length(const struct loop_piece *first, size_t count, double off)
{
	double time = (double)first->ticks, least = 0, most = 0;
	size_t length = 1;

	for (size_t i = 1; i < count && first[i].begin >= first[i - 1].end; i++) {
		/* The slopes that pass the end of the piece before. */
		double inner = (double)(first[i - 1].end - first->begin);
		double low = (time - off) / inner, high = (time + off) / inner;
		least = i == 1 || low > least ? low : least;
		most = i == 1 || high < most ? high : most;
		time += (double)first[i].ticks;
		double slope = time / (double)(first[i].end - first->begin);
		if (slope >= least && slope <= most)
			length = i + 1;
	}
	return length;
}

/* Returns how many stretches there are, or would be: no more are stored than there is room for. */
static size_t join(
    const struct loop_pieces *pieces, double off, struct loop_piece stretches[LOOP_MARKS_MOST])
{
	size_t made = 0;

	for (size_t i = 0; i < pieces->count; made++) {
		const struct loop_piece *first = &pieces->pieces[i];
		size_t length = stretch_length(first, pieces->count - i, off);
		struct loop_piece sum = {.begin = first->begin};
		for (size_t j = 0; j < length; j++) {
			sum.end = first[j].end;
			sum.ticks += first[j].ticks;
			if (first[j].grain > sum.grain)
				sum.grain = first[j].grain;
		}
		if (made < LOOP_MARKS_MOST)
			stretches[made] = sum;
		i += length;
	}
	return made;
}

size_t loop_pieces_join(
    const struct loop_pieces *pieces, size_t most, struct loop_piece stretches[LOOP_MARKS_MOST])
{
	double all = 0;

	for (size_t i = 0; i < pieces->count; i++)
		all += (double)pieces->pieces[i].ticks;
	double off = all * EXACTNESS;
	size_t count = join(pieces, off, stretches);
	while (count > most && off < all) {
		off *= 2;
		count = join(pieces, off, stretches);
	}
	return count < most ? count : most;
}
