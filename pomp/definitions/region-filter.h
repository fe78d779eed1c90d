/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which regions are not measured, or only where they take long: the rules of POMP_FILTERING_FILE.
 * The rules are applied to a region once, when they are registered; an event looks at its
 * accumulator's `filter`.
 */
#ifndef REGION_FILTER_H
#define REGION_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pomp_region;

/*
 * What is left out of a region: 0 nothing, POMP_FILTER_ALL everything, else the trace's visits that
 * are shorter than so many ticks.
 */
#define POMP_FILTER_ALL UINT64_MAX

struct pomp_filter {
	struct pomp_filter_rule *rules;
	size_t rule_count, rule_capacity;
	bool has_durations;
	double tick; /* nanoseconds per tick, as well as a filter must know */
};

/* Written at the start, then only read. */
extern struct pomp_filter pomp_filter __attribute__((visibility("hidden")));

/*
 * Reads the file; what is wrong in it is reported on `messages`, the first lines one by one, and
 * ignored. One that is no text, or has mostly wrong lines, is not read to its end.
 */
void pomp_filter_read(struct pomp_filter *filter, const char *path, FILE *messages);

/* What the rules leave out of the region. `tick` is nanoseconds per tick. */
uint64_t pomp_filter_evaluate(
    const struct pomp_filter *filter, const struct pomp_region *region, double tick);

#endif
