/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pieces in which a thread executes a loop, with the time that each took, and the stretches
 * that they become. No clock is read here; the thread that owns them calls.
 */
#ifndef LOOP_PIECES_H
#define LOOP_PIECES_H

#include "shared/loop-marks.h"

#include <stddef.h>
#include <stdint.h>

enum { LOOP_PIECES = 256 };

struct loop_piece {
	uint64_t begin, end; /* iterations */
	uint64_t ticks;      /* that the thread took for its own ones among them */
	uint64_t grain;      /* ticks of the longest part of it that was not divided */
};

struct loop_pieces {
	uint64_t least;      /* ticks: what a piece should take at least */
	uint64_t size, most; /* iterations of a piece: now, and at most */
	size_t count;
	struct loop_piece pieces[LOOP_PIECES];
};

/* Begins a loop of so many iterations in a team of that size. least: see above. */
void loop_pieces_begin(
    struct loop_pieces *pieces, uint64_t iterations, uint32_t size, uint64_t least);

/* Adds iterations that took so many ticks; sets the size of the next piece. */
void loop_pieces_add(struct loop_pieces *pieces, uint64_t low, uint64_t high, uint64_t ticks);

/*
 * Joins the pieces into no more than `most` stretches, of which LOOP_MARKS_MOST are allowed, and
 * returns how many there are. A stretch is as many neighbours as a straight line, iterations
 * against time, describes to within a share of the loop's time: half a percent, or more if there
 * would be too many.
 */
size_t loop_pieces_join(
    const struct loop_pieces *pieces, size_t most, struct loop_piece stretches[LOOP_MARKS_MOST]);

#endif
