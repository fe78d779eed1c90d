/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics of a profile, as a tree. A value is of a call path alone, without those that it
 * calls, and contains the values of the metrics below it.
 */
#ifndef CUBE_METRICS_H
#define CUBE_METRICS_H

#include "call-sums.h"

struct cube_metric {
	const char *name; /* unique; Score-P's and Scalasca's where they have the metric */
	const char *title, *unit, *description;
	unsigned depth; /* in the tree: 0 is outermost */
	bool is_count;  /* its values are whole numbers (UINT64), or else doubles in its unit */
	enum cube_figure { FIGURE_VISITS, FIGURE_TIME, FIGURE_WAIT } figure;
	enum activity wait; /* only waits of this kind; ACTIVITY_NONE: all */
};

enum { CUBE_METRICS = 6 };
extern const struct cube_metric cube_metrics[CUBE_METRICS];

/*
 * The value of a node's cell: visits, or ticks. `wait` is what call_sums_wait() returns for the
 * node.
 */
uint64_t cube_metric_value(
    const struct cube_metric *metric, const struct call_cell *cell, enum activity wait);

#endif
