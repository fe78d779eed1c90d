/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a run's counters (POMP_METRICS) tell how many instructions a construct executed, how
 * much it computed and how much memory it moved. */
#ifndef REGION_COUNTERS_H
#define REGION_COUNTERS_H

#include "common/summary.h"

enum region_counter {
	COUNTED_INSTRUCTIONS,
	COUNTED_OPERATIONS, /* of floating-point numbers */
	COUNTED_BYTES,      /* between memory and the last cache: lines of 64 bytes */
	REGION_COUNTERS
};

/*
 * What was counted from the construct's enter to its leave, summed over threads: nested constructs
 * and waits included. NAN: not counted.
 */
double region_counted(const struct summary *summary, const struct summary_region *region,
    enum region_counter counter);

/* The names of the counters that the run has for it, "PAPI_DP_OPS" (heap), or NULL. */
char *region_counter_names(const struct summary *summary, enum region_counter counter);

/* Why the run has none although it should have: "PAPI_DP_OPS: there are not enough counters ..."
 * (heap), or NULL. */
char *region_counter_dropped(const struct summary *summary, enum region_counter counter);

/* The counters that could tell, the best first. */
const char *region_counter_wanted(enum region_counter counter);

#endif
