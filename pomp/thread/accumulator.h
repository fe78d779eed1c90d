/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a thread's sums for a region, and clears them. */
#ifndef ACCUMULATOR_H
#define ACCUMULATOR_H

#include "thread-block.h"

/* Takes over what the filter says of the region now: nothing of it is open on the thread. */
void pomp_accumulator_filter(struct pomp_accumulator *sums);

/* The filter has changed: marks all of the thread's. The owner calls it. */
void pomp_accumulators_are_stale(struct pomp_thread *thread);

/* Makes room for the accumulator of region `id` and returns it; `none` when that is impossible. */
struct pomp_accumulator *pomp_thread_accumulator_slow(struct pomp_thread *thread, uint64_t id);

static inline struct pomp_accumulator *pomp_thread_accumulator(
    struct pomp_thread *thread, uint64_t id)
{
	if (__builtin_expect(id < thread->region_limit, 1)) {
		struct pomp_accumulator *found =
		    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		if (__builtin_expect(found->region != NULL, 1))
			return found;
	}
	return pomp_thread_accumulator_slow(thread, id);
}

/* The accumulator of region id if the thread has one, or NULL. Process lock held. */
struct pomp_accumulator *pomp_thread_find(const struct pomp_thread *thread, uint64_t id);

/* Sets everything that a thread has counted to zero; what is open on its stack stays open. */
void pomp_thread_clear(struct pomp_thread *thread);

#endif
