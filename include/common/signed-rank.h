/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether the second of two values measured in turn tends to be greater: Wilcoxon's signed
 * rank test, and the estimate and the bound of Hodges and Lehmann. It works on the difference of
 * each pair. It only assumes that, if nothing changed, each difference is as likely as its
 * opposite; this holds when the two are measured in the same way in turn. If memory runs out, the
 * results say that nothing is known: a chance of 1, NAN, INFINITY.
 */
#ifndef COMMON_SIGNED_RANK_H
#define COMMON_SIGNED_RANK_H

#include <stddef.h>

/*
 * If nothing changed, the probability of differences that show a growth at least as clearly as
 * these, from 0 to 1. Exact for up to SIGNED_RANK_EXACT differences, otherwise by the normal
 * approximation. A difference of 0 ranks lowest, and of two equally large differences the growth
 * ranks lower.
 */
#define SIGNED_RANK_EXACT 60
double signed_rank_chance(const double *differences, size_t count);

/* The most likely difference: the median of the means of any two. Needs at least one difference. */
double signed_rank_estimate(const double *differences, size_t count);

/*
 * The upper bound of the difference, which fails with probability `level`; INFINITY if there are
 * too few differences for a bound.
 */
double signed_rank_most(const double *differences, size_t count, double level);

#endif
