/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of what a chunk costs, and how many chunks a schedule makes. */
#include "chunk-costs.h"

#include <math.h>

/*
 * ns that taking a chunk costs a thread: usually, and at most, for one thread and for each other
 * that competes. A processor that executes out of order may hide all of it, so that the least is 0.
 * Measured on a virtual machine with two processors: an atomic fetch-add takes 14 to 32 ns by one
 * thread and 39 to 64 by each of two that do nothing else. A loop with two threads, whose
 * iterations take 1 to 8 ns, takes 7 to 14 ns more for each chunk with dynamic when little else
 * runs, and beside other processes 57 to 72, or 53 to 60 with static,1 (a call and a division).
 */
static const struct {
	double usual, most, others;
} costs[] = {
    [LOOP_SCHEDULE_STATIC] = {10, 60, 0},
    [LOOP_SCHEDULE_DYNAMIC] = {25, 60, 30},
    [LOOP_SCHEDULE_GUIDED] = {25, 60, 30},
};

/* ns for the mark of a chunk, which reads the clock twice: measured on that machine, and at most.
 */
#define NOTE      24
#define NOTE_MOST 60

/* Smaller parts of the work do not matter. */
#define MATTERS 0.02

double chunk_count(const struct chunked_loop *loop)
{
	double rest = (double)loop->iterations, size = loop->size, count = 0;
	double chunk = loop->schedule.chunk > 0 ? loop->schedule.chunk : 1;

	if (loop->schedule.kind == LOOP_SCHEDULE_STATIC && loop->schedule.chunk == 0)
		return 0;
	if (loop->schedule.kind == LOOP_SCHEDULE_GUIDED)
		for (; rest > chunk * size; count++)
			rest -= ceil(rest / size);
	return count + ceil(rest / chunk);
}

double chunk_cost(const struct chunked_loop *loop, enum division division)
{
	enum loop_schedule_kind kind = loop->schedule.kind;

	switch (division) {
	case DIVIDED_CHEAPLY:
		return 0;
	case DIVIDED_EVENLY:
		return costs[kind].usual + (loop->has_marks ? NOTE : 0);
	case DIVIDED_DEARLY:
	case DIVIDED_NOWHERE:
		break;
	}
	return costs[kind].most + costs[kind].others * (loop->size - 1.0) +
	       (loop->has_marks ? NOTE_MOST : 0);
}

bool chunk_costs_matter(
    const struct chunked_loop *before, const struct chunked_loop *after, double work)
{
	double was = chunk_count(before) * chunk_cost(before, DIVIDED_DEARLY);
	double is = chunk_count(after) * chunk_cost(after, DIVIDED_DEARLY);

	return fabs(was - is) > MATTERS * work;
}
