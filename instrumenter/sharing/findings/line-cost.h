/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs that lines change their thread: the estimate for the lines of one object. */
#ifndef SHARING_LINE_COST_H
#define SHARING_LINE_COST_H

#include "sharing-costs.h"
#include "sharing-reports.h"

/* Seconds that an access to memory takes at least. */
extern const double line_shortest_access;

/* Sums of lines; without a line all are 0. */
struct line_uses {
	double accesses, count[SHARING_USES], of[SHARING_USES]; /* of: all by threads with such */
	double transfers, lines;
	double rate, speed; /* accesses to these lines for each of all, and in a second */
};

/* Adds a line with the transfers that are meant. */
void line_uses_add(struct line_uses *uses, const struct sharing_reports *reports,
    const struct sharing_line *line, uint64_t transfers);

/* Seconds of processor time that the transfers cost here. */
double line_uses_cost(const struct line_uses *uses, const struct sharing_reports *reports,
    const struct sharing_costs *costs);

/* The same if threads waited for each transfer. */
double line_uses_most(const struct line_uses *uses, const struct sharing_costs *costs);

#endif
