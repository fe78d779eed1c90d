/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs here that a cache line changes from one processor to another. */
#ifndef SHARING_TRANSFER_COST_H
#define SHARING_TRANSFER_COST_H

#include <stdbool.h>

enum { TRANSFER_GAPS = 5 };

struct transfer_costs {
	double fixed; /* seconds; 0: the measured ones */
	/* Ascending: how far apart, in seconds, a thread's accesses were, and what they cost. */
	double apart[TRANSFER_GAPS], cost[TRANSFER_GAPS];
	bool is_measured; /* else they are usual ones */
};

/*
 * Measures for some milliseconds: two threads increment neighbouring words, and words in lines of
 * their own. With one processor, or where two threads do not run at the same time, the costs are
 * those of usual machines.
 */
void transfer_costs_measure(struct transfer_costs *costs);

/* Of accesses that are so far apart: between the measured ones, a straight line. */
double transfer_cost(const struct transfer_costs *costs, double apart);

#endif
