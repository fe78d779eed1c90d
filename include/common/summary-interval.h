/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was counted from one summary of a run to a later one of the same run. The rows of the later
 * one must be memory that may be changed.
 */
#ifndef COMMON_SUMMARY_INTERVAL_H
#define COMMON_SUMMARY_INTERVAL_H

#include "common/summary.h"

/*
 * Makes no sum of the later summary less than it was in the earlier one. Sums only grow, but one
 * that was read during a change may be a little too large the first time.
 */
void summary_raise(struct summary *later, const struct summary *earlier);

/*
 * Subtracts the earlier summary: the later one is then an interval. Rows in which nothing happened
 * are removed. The least and the most of a thread or a task are not known of an interval; numbers
 * of threads are those so far.
 *
 * Of summaries that were raised, each to the one before, the intervals add up to the last summary.
 */
void summary_subtract(struct summary *later, const struct summary *earlier);

#endif
