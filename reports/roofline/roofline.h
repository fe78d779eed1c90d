/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs against what the machine can do: a construct that moves B bytes for F floating-point
 * operations does at most min(peak, bandwidth x F / B) of them in a second (the roofline model of
 * Williams, Waterman and Patterson, 2009).
 */
#ifndef ROOFLINE_H
#define ROOFLINE_H

#include <stdbool.h>

#include "common/summary.h"

/* Nested constructs and waits included; times in ns. */
struct roofline_point {
	const struct summary_region *region;
	double operations, bytes;
	double intensity; /* operations for each byte; infinity: no byte was counted */
	double rate;      /* operations in a second, all threads that visited it at the same time */
	double roof;      /* what the machine could do at this intensity */
	bool is_memory;   /* the roof is that of memory, not of arithmetic */
	double loss;      /* of the threads' time in it, what the roof would save */
};

struct roofline {
	char *missing; /* what is missing, and how to get it: there is no roofline then; or NULL */
	bool was_wanted;          /* the run was to count what a roofline needs, or some of it */
	char processor[128];      /* whose figures these are */
	unsigned threads;         /* that they are of */
	double bandwidth, peak;   /* bytes and operations in a second */
	char *operations, *bytes; /* the names of the counters */
	struct roofline_point *points; /* the greatest loss first */
	size_t count;
};

/* Of the run's constructs, and the machine's figures as `ompinst machine` has kept them here. */
struct roofline roofline_make(const struct summary *summary);

void roofline_free(struct roofline *roofline);

#endif
