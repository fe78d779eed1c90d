/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what threads have counted. The caller holds the process lock. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stdint.h>

struct pomp_region_total;
struct pomp_thread;
struct pomp_threads;
struct pomp_region;

/* Moves what an ending thread has counted to the totals of the regions and threads. */
void pomp_thread_add_to_totals(struct pomp_thread *thread);

/* Returns the region's totals over all threads, ended and alive, in ticks. */
struct pomp_region_total pomp_region_total(const struct pomp_region *region);

/* The same of these threads: a copy of a process's, or this one's. */
struct pomp_region_total pomp_region_total_in(
    const struct pomp_threads *threads, const struct pomp_region *region);

/*
 * The same for its metrics, of which these threads count so many: returns the values in the
 * region's counter block, or NULL if it has none.
 */
const uint64_t *pomp_region_metrics_in(
    const struct pomp_threads *threads, const struct pomp_region *region, unsigned count);

/* Writes a region's totals so far into its descriptor's data, if it still has a descriptor. */
void pomp_region_publish(const struct pomp_region *region);

/* Adds what a thread has counted apart from regions. */
void pomp_thread_add_sums(struct pomp_threads *sum, const struct pomp_thread *thread);

#endif
