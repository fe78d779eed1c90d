/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exact chances of the rank sum test against a count of all ways in which ranks can be shared
 * out, and its approximation against the exact ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rank-sum.h"

static int failures;

static void expect_near(const char *what, double found, double wanted, double tolerance)
{
	if (fabs(found - wanted) <= tolerance)
		return;
	fprintf(stderr, "%s: expected %g, found %g\n", what, wanted, found);
	failures++;
}

/* Values 1 .. n: those whose bit is set are the one sample, the others the other. */
static size_t share_out(unsigned bits, size_t n, uint64_t *one, uint64_t *other)
{
	size_t ones = 0, others = 0;

	for (size_t i = 0; i < n; i++) {
		if (bits >> i & 1)
			one[ones++] = i + 1;
		else
			other[others++] = i + 1;
	}
	return ones;
}

static size_t pairs_of(unsigned bits, size_t n)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			pairs += (bits >> i & 1) && !(bits >> j & 1);
	return pairs;
}

static void compare_with_all_ways(size_t n)
{
	for (unsigned bits = 1; bits < (1u << n) - 1; bits++) {
		uint64_t one[16], other[16];
		size_t ones = share_out(bits, n, one, other), ways = 0, enough = 0;

		for (unsigned way = 0; way < 1u << n; way++) {
			if ((size_t)__builtin_popcount(way) != ones)
				continue;
			ways++;
			enough += pairs_of(way, n) >= pairs_of(bits, n);
		}
		expect_near("chance", rank_sum_chance(one, ones, other, n - ones),
		    (double)enough / (double)ways, 1e-12);
	}
}

int main(void)
{
	uint64_t low[40], high[40], same[3] = {5, 5, 5};

	for (size_t n = 2; n <= 9; n++)
		compare_with_all_ways(n);
	for (uint64_t i = 0; i < 40; i++) {
		low[i] = 2 * i;
		high[i] = 2 * i + 13;
	}
	expect_near("separate", rank_sum_chance(high + 20, 5, low, 5), 1.0 / 252, 1e-12);
	expect_near("least", rank_sum_least_chance(5, 5), 1.0 / 252, 1e-12);
	expect_near("least of one and four", rank_sum_least_chance(1, 4), 0.2, 1e-12);
	expect_near("equal values", rank_sum_chance(same, 3, same, 3), 1, 1e-12);
	/* 30 and 30 are exact, 31 and 30 are not: nearly the same. */
	expect_near("approximation", rank_sum_chance(high, 31, low, 30),
	    rank_sum_chance(high, 30, low, 30), 0.03);
	return failures != 0;
}
