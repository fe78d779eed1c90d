/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the chunks of a loop cost the threads that take them. No event shows it: in a trace it is
 * part of the loop's work, so that only a range is known.
 */
#ifndef CHUNK_COSTS_H
#define CHUNK_COSTS_H

#include "change.h"

/* An execution of a loop. */
struct chunked_loop {
	struct loop_schedule schedule;
	uint64_t iterations;
	uint32_t size;  /* threads */
	bool has_marks; /* each chunk was noted */
};

/* How many chunks all threads take; 0 if each has one block, which costs nothing more. */
double chunk_count(const struct chunked_loop *loop);

/* ns of a thread for a chunk, as far as the division says that it is cheap or dear. */
double chunk_cost(const struct chunked_loop *loop, enum division division);

/* Whether the costs of the chunks may differ by a noticeable part of the work (ns, all threads). */
bool chunk_costs_matter(
    const struct chunked_loop *before, const struct chunked_loop *after, double work);

#endif
