/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs here that a cache line changes from one processor to another. */
#ifndef SHARING_TRANSFER_COST_H
#define SHARING_TRANSFER_COST_H

#include "sharing-costs.h"

#include <stdbool.h>

enum { TRANSFER_GAPS = 7 };

/* Ascending: how far apart, in seconds, a thread's accesses were, and what one costs more. */
struct transfer_curve {
	double apart[TRANSFER_GAPS], cost[TRANSFER_GAPS];
};

struct transfer_costs {
	struct transfer_curve curves[SHARING_USES];
	bool is_measured; /* else they are usual ones */
};

/*
 * Measures for some milliseconds: two threads use neighbouring words at the same time, and words in
 * lines of their own. With one processor, or where two threads seldom run at the same time, the
 * costs are those of an ordinary machine.
 */
void transfer_costs_measure(struct transfer_costs *costs);

/* Of accesses that are so far apart: between the measured ones, a straight line. */
double transfer_cost(const struct transfer_costs *costs, enum sharing_use use, double apart);

/* The least and the most of all measured ones. */
void transfer_costs_range(const struct transfer_costs *costs, double *least, double *most);

#endif
