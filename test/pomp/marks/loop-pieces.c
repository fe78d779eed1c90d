/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces of loops and the stretches that they become. The loops are played: iteration i of a block
 * takes work(i) ticks, and the pieces are as long as loop_pieces asks for.
 */
#include "check.h"
#include "loop-pieces.h"

#include <math.h>

enum { LEAST = 1000 };

static double even(uint64_t i)
{
	(void)i;
	return 5;
}

static double growing(uint64_t i)
{
	return 0.01 * (double)i;
}

static double heavy(uint64_t i)
{
	return i == 700 ? 500000 : 5;
}

static double falling(uint64_t i)
{
	return 200000.0 / ((double)i + 1);
}

/* No two neighbours alike. */
static double random_work(uint64_t i)
{
	uint64_t word = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return (double)((word ^ word >> 29) % 4000);
}

static double sum(double (*work)(uint64_t), uint64_t begin, uint64_t end)
{
	double all = 0;

	for (uint64_t i = begin; i < end; i++)
		all += work(i);
	return all;
}

/* Plays [from, to) of a loop for two threads; returns how many pieces were noted. */
static size_t play(struct loop_pieces *pieces, double (*work)(uint64_t), uint64_t from, uint64_t to)
{
	size_t noted = 0;

	loop_pieces_begin(pieces, 2 * (to - from), 2, LEAST);
	for (uint64_t at = from, end; at < to; at = end, noted++) {
		EXPECT(pieces->size >= 1);
		end = to - at > pieces->size ? at + pieces->size : to;
		loop_pieces_add(pieces, at, end, (uint64_t)sum(work, at, end));
	}
	return noted;
}

/*
 * The stretches cover the block without gaps, and at each of their ends, and between, the line is
 * as far off the work as was asked, at most.
 */
static size_t check(double (*work)(uint64_t), uint64_t from, uint64_t to, double exact)
{
	struct loop_pieces pieces;
	struct loop_piece stretches[LOOP_MARKS_MOST];
	size_t noted = play(&pieces, work, from, to);
	size_t count = loop_pieces_join(&pieces, LOOP_MARKS_MOST, stretches);
	double all = sum(work, from, to), before = 0;
	uint64_t at = from;

	EXPECT(count >= 1 && count <= LOOP_MARKS_MOST && pieces.count <= LOOP_PIECES);
	/* As many notes as pieces of the least length, and what finding that length takes. */
	EXPECT((double)noted <= all / LEAST * 4 + 200);
	for (size_t i = 0; i < count; i++) {
		const struct loop_piece *stretch = &stretches[i];
		EXPECT(stretch->begin == at && stretch->end > at);
		EXPECT(stretch->grain <= stretch->ticks);
		double slope = (double)stretch->ticks / (double)(stretch->end - stretch->begin);
		for (; at < stretch->end; at++) {
			double line = before + slope * (double)(at - stretch->begin);
			double off = fabs(line - sum(work, from, at)) - (double)stretch->grain;
			EXPECT(off <= exact * all + 300);
		}
		before += (double)stretch->ticks;
	}
	EXPECT(at == to);
	EXPECT(fabs(before - all) < (double)noted + 1); /* each piece is rounded down */
	return count;
}

static void check_heavy(void)
{
	struct loop_pieces pieces;
	struct loop_piece stretches[LOOP_MARKS_MOST];

	play(&pieces, heavy, 0, 1000);
	size_t count = loop_pieces_join(&pieces, LOOP_MARKS_MOST, stretches), found = 0;
	for (size_t i = 0; i < count; i++)
		if (stretches[i].grain >= 500000) {
			EXPECT(stretches[i].begin <= 700 && stretches[i].end > 700);
			EXPECT(stretches[i].end - stretches[i].begin <= 1000 / 16);
			found++;
		}
	EXPECT(found == 1);
}

/* Chunks that others execute lie between those of a thread. */
static void check_chunks(void)
{
	struct loop_pieces pieces;
	struct loop_piece stretches[LOOP_MARKS_MOST];
	uint64_t all = 0;

	loop_pieces_begin(&pieces, 1000000, 2, LEAST);
	for (uint64_t i = 0; i < 1000000; i += 2 + i % 3) {
		loop_pieces_add(&pieces, i, i + 1, 7);
		all += 7;
	}
	size_t count = loop_pieces_join(&pieces, LOOP_MARKS_MOST, stretches);
	EXPECT(count <= 2);
	for (size_t i = 0; i < count; i++)
		all -= stretches[i].ticks;
	EXPECT(all == 0);
}

static void check_few(void)
{
	struct loop_pieces pieces;
	struct loop_piece stretches[LOOP_MARKS_MOST];

	loop_pieces_begin(&pieces, 0, 4, LEAST);
	EXPECT(pieces.size == 1 && loop_pieces_join(&pieces, 16, stretches) == 0);
	play(&pieces, random_work, 0, 20000);
	EXPECT(loop_pieces_join(&pieces, 16, stretches) <= 16);
}

int main(void)
{
	EXPECT(check(even, 0, 10000, 0.006) == 1);
	EXPECT(check(growing, 0, 20000, 0.006) <= 12);
	EXPECT(check(growing, 10000, 20000, 0.006) <= 6);
	EXPECT(check(falling, 0, 20000, 0.006) <= 20);
	check(random_work, 0, 20000, 0.02);
	check(random_work, 0, 3, 0.006);
	check_heavy();
	check_chunks();
	check_few();
	return 0;
}
