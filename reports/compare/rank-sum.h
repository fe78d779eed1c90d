/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether one sample tends to be greater than another, without assuming how values are distributed:
 * the rank sum test of Wilcoxon, Mann and Whitney.
 */
#ifndef RANK_SUM_H
#define RANK_SUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * How likely it is, where both samples come from one distribution, that `greater` exceeds `smaller`
 * at least as clearly as it does: from 0 to 1. Exact for up to RANK_SUM_EXACT values in all, else
 * by the normal approximation. Equal values count as not greater.
 */
#define RANK_SUM_EXACT 60
double rank_sum_chance(
    const uint64_t *greater, size_t greater_count, const uint64_t *smaller, size_t smaller_count);

/* The least that rank_sum_chance() can be for samples of these sizes. */
double rank_sum_least_chance(size_t greater_count, size_t smaller_count);

#endif
