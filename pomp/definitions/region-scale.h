/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By how much regions are made slower, for experiments: the rules of POMP_SCALE. They are applied
 * to a region once, when it is registered; record/scale.h describes how a thread delays.
 */
#ifndef REGION_SCALE_H
#define REGION_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pomp_region;

struct pomp_scale {
	struct pomp_scale_rule *rules;
	size_t rule_count, rule_capacity;
	double others; /* factor for everything outside of regions that a rule names; at least 1 */
	bool on;       /* there is a rule */
};

/*
 * Written at the start, then read-only, except that each rule records its use, under the process
 * lock.
 */
extern struct pomp_scale pomp_scale __attribute__((visibility("hidden")));

/* Reads "REGION=FACTOR,..."; reports errors on `messages`, part by part, and ignores such parts. */
void pomp_scale_read(struct pomp_scale *scale, const char *text, FILE *messages);

/* Returns the region's factor, at least 1; 0 when no rule names it. */
double pomp_scale_evaluate(const struct pomp_scale *scale, const struct pomp_region *region);

/*
 * At the end: reports that times are not the program's own, and which rules named no region.
 */
void pomp_scale_report(const struct pomp_scale *scale, FILE *messages);

#endif
