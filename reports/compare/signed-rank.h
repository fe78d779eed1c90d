/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the second one of two values that were measured in turn tends to be greater: Wilcoxon's
 * signed rank test, and the estimate and the bound that belong to it (Hodges and Lehmann). It is of
 * differences, one of each pair, and assumes of these only that where nothing changed each is as
 * likely as its opposite, as it is when the two are measured the same way in turn.
 */
#ifndef SIGNED_RANK_H
#define SIGNED_RANK_H

#include <stddef.h>

/*
 * How likely differences are, where nothing changed, that show a growth at least as clearly: from 0
 * to 1. Exact for up to SIGNED_RANK_EXACT, else by the normal approximation. A difference of 0, and
 * of two that are equally large the one that shows a growth, count as less.
 */
#define SIGNED_RANK_EXACT 60
double signed_rank_chance(const double *differences, size_t count);

/* The difference that is most likely: the median of the means of any two. Of at least one. */
double signed_rank_estimate(const double *differences, size_t count);

/*
 * What the difference is at most, but for a chance of `level`; INFINITY where there are too few to
 * say that.
 */
double signed_rank_most(const double *differences, size_t count, double level);

#endif
