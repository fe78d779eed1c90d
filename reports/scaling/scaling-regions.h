/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What limits a program on more threads, region by region, from runs with different numbers of
 * threads.
 */
#ifndef SCALING_REGIONS_H
#define SCALING_REGIONS_H

#include <stddef.h>

#include "report.h"

struct scaling_series;

/* Times by region and run. Initially all zero bytes. */
struct scaling_regions {
	struct scaling_series *series;
	size_t count, room;
	double most_threads;
};

/* Adds a run. The times of its regions include their waits and exclude nested regions. */
void scaling_regions_add(struct scaling_regions *regions, const struct report *report);

/* Fills a table that is not initialised yet. */
void scaling_regions_fill(struct table *table, struct scaling_regions *regions);

void scaling_regions_finish(struct scaling_regions *regions);

#endif
