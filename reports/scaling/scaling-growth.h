/* SPDX-License-Identifier: BSD-3-Clause */
/* Which constructs have more work with more threads, and what is known of the reasons. */
#ifndef SCALING_GROWTH_H
#define SCALING_GROWTH_H

#include <stdbool.h>

#include "common/summary-figures.h"
#include "sharing-file.h"
#include "table.h"

/* What is added up of each run; times in ns. NAN: not measured. */
enum work_value {
	WORK,              /* ran in the construct itself, without waits and nested constructs */
	WORK_SYSTEM,       /* the part in the kernel */
	WORK_FAULTS,       /* page faults */
	WORK_DELAYED,      /* ready to work, without a processor; no part of the work */
	WORK_EXECUTIONS,   /* by its team, or of a task, a critical, ... by a thread */
	WORK_TIME,         /* from enter to leave */
	WORK_WAITS,        /* the part that waited in OpenMP */
	WORK_INSTRUCTIONS, /* this and the following: from enter to leave */
	WORK_OPERATIONS,
	WORK_BYTES,
	WORK_VALUES
};

/* Sums over the runs with one number of threads. */
struct work_sum {
	size_t runs;
	double least, most; /* work of a run */
	double sums[WORK_VALUES];
};

struct grown_region {
	char *name;
	bool is_task;
	struct work_sum few, many;
};

struct scaling_growth {
	struct grown_region *regions;
	size_t count, room;
	uint64_t least, most; /* threads of the runs that are compared */
	double capacity;      /* ns: threads times wall of the runs with most threads, added up */
	size_t runs;          /* how many these are */
};

/* Adds a run's constructs. Runs with numbers of threads between least and most do not count. */
void scaling_growth_add(struct scaling_growth *growth, const struct summary *summary,
    const struct summary_figures *figures);

/* The mean of a run. */
static inline double work_mean(const struct work_sum *sum, enum work_value value)
{
	return sum->sums[value] / (double)sum->runs;
}

/* Fills a table that is not initialised yet; `sharing`: what `ompinst sharing run` has found. */
void scaling_growth_fill(
    struct table *table, struct scaling_growth *growth, const struct sharing_file *sharing);

void scaling_growth_finish(struct scaling_growth *growth);

#endif
