/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples that a thread's handler has taken and that are not in the thread's log yet. The handler
 * adds them; it interrupts its own thread, which removes them.
 *
 * Who sees what: all in one thread, so compiler order is enough: an entry is complete before
 * `added` counts it, and no longer needed when `removed` does.
 */
#ifndef SAMPLE_QUEUE_H
#define SAMPLE_QUEUE_H

#include "pomp-atomics.h"
#include "shared/sample-counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_sample {
	uint64_t time;      /* ticks */
	uint32_t region;    /* the innermost; 0: none */
	uint32_t node : 20; /* of the innermost address in the thread's tree */
	uint32_t samples : 10;
	uint32_t faults : 1;     /* they interrupted a page fault */
	uint32_t has_counts : 1; /* the queue has what was counted */
};

/* Two minutes of the default rate, in 512 KB, and 1 MB for counts. */
enum { POMP_QUEUED_SAMPLES = 1 << 15 };

struct pomp_sample_queue {
	_Atomic uint32_t added, removed;
	struct pomp_sample entry[POMP_QUEUED_SAMPLES];
	uint64_t counted[POMP_QUEUED_SAMPLES][SAMPLE_COUNTERS_MOST];
};

/* Returns false if the queue is full. counts: of so many counters, 0: none. */
static inline bool pomp_sample_add(struct pomp_sample_queue *queue, struct pomp_sample sample,
    const uint64_t *counts, unsigned counters)
{
	uint32_t added = load_relaxed(&queue->added);

	if (added - load_relaxed(&queue->removed) == POMP_QUEUED_SAMPLES)
		return false;
	sample.has_counts = counters > 0;
	queue->entry[added % POMP_QUEUED_SAMPLES] = sample;
	for (unsigned i = 0; i < counters; i++)
		queue->counted[added % POMP_QUEUED_SAMPLES][i] = counts[i];
	store_release(&queue->added, added + 1);
	return true;
}

/* Returns the oldest one; NULL: there is none. */
static inline const struct pomp_sample *pomp_sample_oldest(const struct pomp_sample_queue *queue)
{
	uint32_t removed = load_relaxed(&queue->removed);

	return removed != load_acquire(&queue->added) ? &queue->entry[removed % POMP_QUEUED_SAMPLES]
						      : NULL;
}

/* Returns what counters counted at the oldest one. */
static inline const uint64_t *pomp_sample_counts(const struct pomp_sample_queue *queue)
{
	return queue->counted[load_relaxed(&queue->removed) % POMP_QUEUED_SAMPLES];
}

static inline void pomp_sample_remove(struct pomp_sample_queue *queue)
{
	store_release(&queue->removed, load_relaxed(&queue->removed) + 1);
}

#endif
