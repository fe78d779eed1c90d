/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots of one run: the later one contains the earlier one, so that their difference is what
 * the run did between them, and no change of the program.
 */
#ifndef RUN_INTERVAL_H
#define RUN_INTERVAL_H

#include "diff-comparison.h"

struct run_interval {
	bool is_one_run;
	uint64_t length;   /* ns */
	double efficiency; /* negative: not measured */
};

/*
 * Whether both sides are of one run, and if so, the interval from the first to the second. Returns
 * false after a message if snapshots of one run are given in a way that has no meaning.
 */
bool run_interval_find(const struct diff_comparison *comparison, struct run_interval *interval);

#endif
