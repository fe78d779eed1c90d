/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads have counted, added up. All with the process's lock held. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stdint.h>

struct pomp_region_total;
struct pomp_thread;
struct pomp_threads;
struct pomp_region;

/* Moves what a thread that ends has counted to the totals of regions and threads. */
void pomp_thread_add_to_totals(struct pomp_thread *thread);

/* The region's totals over all threads, ended and alive, in ticks. */
struct pomp_region_total pomp_region_total(const struct pomp_region *region);

/* The same for its metrics: the values in the region's counter block, or NULL when it has none. */
const uint64_t *pomp_region_metrics(const struct pomp_region *region);

/* Writes a region's totals so far into its descriptor's data, if it still has one. */
void pomp_region_publish(const struct pomp_region *region);

/* Adds what a thread has counted by itself, regions apart. */
void pomp_thread_add_sums(struct pomp_threads *sum, const struct pomp_thread *thread);

#endif
