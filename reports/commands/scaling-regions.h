/* SPDX-License-Identifier: BSD-3-Clause */
/* What limits a program on more threads, region by region, from runs with different numbers. */
#ifndef SCALING_REGIONS_H
#define SCALING_REGIONS_H

#include <stddef.h>

#include "report.h"

struct scaling_series;

/* Times by region and run. All zero bytes is an empty one. */
struct scaling_regions {
	struct scaling_series *series;
	size_t count, room;
	double most_threads;
};

/* Adds a run. Its regions' times are their own and their waits', without regions nested in them. */
void scaling_regions_add(struct scaling_regions *regions, const struct report *report);

/* Fills a table that is not initialised yet. */
void scaling_regions_fill(struct table *table, struct scaling_regions *regions);

void scaling_regions_finish(struct scaling_regions *regions);

#endif
