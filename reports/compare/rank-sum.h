/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether one sample tends to be greater than another, without assumptions on the
 * distribution: the rank sum test of Wilcoxon, Mann and Whitney.
 */
#ifndef RANK_SUM_H
#define RANK_SUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * If both samples come from one distribution, the probability that `greater` exceeds `smaller` at
 * least as clearly as here, from 0 to 1. Exact for up to RANK_SUM_EXACT values in total, otherwise
 * by the normal approximation. Equal values count as not greater.
 */
#define RANK_SUM_EXACT 60
double rank_sum_chance(
    const uint64_t *greater, size_t greater_count, const uint64_t *smaller, size_t smaller_count);

/* The smallest value that rank_sum_chance() can have for samples of these sizes. */
double rank_sum_least_chance(size_t greater_count, size_t smaller_count);

#endif
