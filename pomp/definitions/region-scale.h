/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By how much regions are made slower, for experiments: the rules of POMP_SCALE. They are applied
 * to a region once, when it is registered; record/scale.h has what a thread does about it.
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
	double others; /* factor of what is in no region that a rule names; at least 1 */
	bool on;       /* there is a rule */
};

/* Written at the start, then only read; but each rule notes, under the process's lock, its use. */
extern struct pomp_scale pomp_scale __attribute__((visibility("hidden")));

/*
 * Reads "REGION=FACTOR,..."; what is wrong in it is reported on `messages`, part by part, and
 * ignored.
 */
void pomp_scale_read(struct pomp_scale *scale, const char *text, FILE *messages);

/* The region's factor, at least 1; 0 when no rule names it. Process lock held. */
double pomp_scale_evaluate(const struct pomp_scale *scale, const struct pomp_region *region);

/*
 * At the end: says that times are not the program's own, and which rules named no region. Process
 * lock held.
 */
void pomp_scale_report(const struct pomp_scale *scale, FILE *messages);

#endif
