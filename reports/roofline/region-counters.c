/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several counters may tell the same: the first row of the table of which the run has a counter is
 * taken, and the sum of its counters.
 */
#include "region-counters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { LINE_BYTES = 64, TOGETHER = 2 };

static const struct {
	enum region_counter of;
	const char *names[TOGETHER];
	double factor;
} sources[] = {
    {COUNTED_INSTRUCTIONS, {"PAPI_TOT_INS"}, 1},
    {COUNTED_OPERATIONS, {"PAPI_DP_OPS", "PAPI_SP_OPS"}, 1},
    {COUNTED_OPERATIONS, {"PAPI_FP_OPS"}, 1},
    {COUNTED_BYTES, {"PAPI_L3_TCM"}, LINE_BYTES},
    {COUNTED_BYTES, {"PAPI_L3_LDM", "PAPI_L3_STM"}, LINE_BYTES},
    {COUNTED_BYTES, {"perf::LLC-LOAD-MISSES", "perf::LLC-STORE-MISSES"}, LINE_BYTES},
    {COUNTED_BYTES, {"perf::CACHE-MISSES"}, LINE_BYTES},
};

enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* The metric's number; the number of metrics if there is none. */
static size_t find_metric(const struct summary *summary, const char *name)
{
	size_t i = 0;

	while (i < summary->metric_count && (!name || strcmp(summary->metrics[i].name, name) != 0))
		i++;
	return i;
}

/* The row of the counters that the run has, or SOURCES. */
static size_t find_source(const struct summary *summary, enum region_counter counter)
{
	for (size_t i = 0; i < SOURCES; i++)
		for (int j = 0; j < TOGETHER && sources[i].of == counter; j++)
			if (find_metric(summary, sources[i].names[j]) < summary->metric_count)
				return i;
	return SOURCES;
}

double region_counted(
    const struct summary *summary, const struct summary_region *region, enum region_counter counter)
{
	size_t source = find_source(summary, counter);
	double sum = 0;

	if (source == SOURCES || !region->metrics)
		return NAN;
	for (int i = 0; i < TOGETHER; i++) {
		size_t metric = find_metric(summary, sources[source].names[i]);

		if (metric == summary->metric_count)
			continue;
		if (region->metrics[metric] == SUMMARY_NOT_MEASURED)
			return NAN;
		sum += (double)region->metrics[metric];
	}
	return sum * sources[source].factor;
}

char *region_counter_names(const struct summary *summary, enum region_counter counter)
{
	size_t source = find_source(summary, counter);
	bool has[TOGETHER];

	if (source == SOURCES)
		return NULL;
	for (int i = 0; i < TOGETHER; i++)
		has[i] = find_metric(summary, sources[source].names[i]) < summary->metric_count;
	return memory_print("%s%s%s", has[0] ? sources[source].names[0] : "",
	    has[0] && has[1] ? " and " : "", has[1] ? sources[source].names[1] : "");
}

char *region_counter_dropped(const struct summary *summary, enum region_counter counter)
{
	for (size_t i = 0; i < summary->dropped_count; i++)
		for (size_t j = 0; j < SOURCES; j++)
			for (int k = 0; k < TOGETHER && sources[j].of == counter; k++)
				if (sources[j].names[k] &&
				    strcmp(summary->dropped[i].name, sources[j].names[k]) == 0)
					return memory_print("%s: %s", summary->dropped[i].name,
					    summary->dropped[i].reason);
	return NULL;
}

const char *region_counter_wanted(enum region_counter counter)
{
	size_t i = 0;

	while (sources[i].of != counter)
		i++;
	return sources[i].names[0];
}
