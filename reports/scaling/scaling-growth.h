/* SPDX-License-Identifier: BSD-3-Clause */
/* Which constructs have more work with more threads, and what is known of the reasons. */
#ifndef SCALING_GROWTH_H
#define SCALING_GROWTH_H

#include "report.h"

struct grown_region;

struct scaling_growth {
	struct grown_region *regions;
	size_t count, room;
	uint64_t least, most; /* threads of the runs that are compared */
};

/* Adds a run's constructs. Runs with numbers of threads between least and most do not count. */
void scaling_growth_add(struct scaling_growth *growth, const struct report *report);

void scaling_growth_fill(struct table *table, struct scaling_growth *growth);

void scaling_growth_finish(struct scaling_growth *growth);

#endif
