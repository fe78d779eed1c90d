/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From accumulators to results. All with the process's lock held.
 */
#ifndef FOLD_H
#define FOLD_H

#include "shared/summary.h"
#include "thread.h"

struct pomp_region;

/* Moves what a thread that ends has counted to the totals of regions and threads. */
void pomp_fold_thread(struct pomp_thread *thread);

/* The region's totals over all threads, ended and alive, in ticks. */
struct pomp_region_total pomp_fold_region(const struct pomp_region *region);

/* The same for its metrics: the values in the region's counter block, or NULL when it has none. */
const uint64_t *pomp_fold_metrics(const struct pomp_region *region);

/* Writes a region's totals so far into its descriptor's data, if it still has one. */
void pomp_region_publish(const struct pomp_region *region);

/*
 * Fills the summary after measuring has stopped. The strings belong to the regions; free the
 * rest with pomp_fold_release(). Returns false when memory ran out; the summary then has a note.
 */
extern const char pomp_fold_nothing_executed[]; /* a note: of many ranks, others may have */
bool pomp_fold_summary(struct summary *summary);
void pomp_fold_release(struct summary *summary);

#endif
