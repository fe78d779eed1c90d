/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exact chances of the signed rank test against a count of all ways in which signs can be
 * shared out, its bound against what it is a bound of, and its approximation against the exact one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/signed-rank.h"

enum { MANY = SIGNED_RANK_EXACT + 1 };

static int failures;

static void expect_near(const char *what, double found, double wanted, double tolerance)
{
	if (fabs(found - wanted) <= tolerance)
		return;
	fprintf(stderr, "%s: expected %g, found %g\n", what, wanted, found);
	failures++;
}

/* 1 .. n, those whose bit is not set with the other sign. */
static void share_out(unsigned bits, size_t n, double *differences)
{
	for (size_t i = 0; i < n; i++)
		differences[i] = bits >> i & 1 ? (double)(i + 1) : -(double)(i + 1);
}

static size_t sum_of(unsigned bits, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += bits >> i & 1 ? i + 1 : 0;
	return sum;
}

static void compare_with_all_ways(size_t n)
{
	for (unsigned bits = 0; bits < 1u << n; bits++) {
		double differences[16];
		size_t enough = 0;

		for (unsigned way = 0; way < 1u << n; way++)
			enough += sum_of(way, n) >= sum_of(bits, n);
		share_out(bits, n, differences);
		expect_near("chance", signed_rank_chance(differences, n),
		    (double)enough / (double)(1u << n), 1e-12);
	}
}

/*
 * What is above the bound the test excludes, and what is below it not: with the bound taken from
 * each difference, the chance of so few growths is at most the level just above, and not below.
 */
static void check_bound(size_t n, double level)
{
	double differences[16], opposite[16], most;

	for (size_t i = 0; i < n; i++)
		differences[i] = sin((double)(i * i) + 1) + 0.3;
	most = signed_rank_most(differences, n, level);
	if (isinf(most)) {
		expect_near("too few", ldexp(1, -(int)n) > level, 1, 0);
		return;
	}
	for (int above = 0; above < 2; above++) {
		for (size_t i = 0; i < n; i++)
			opposite[i] = most + (above ? 1e-9 : -1e-9) - differences[i];
		expect_near("excluded", signed_rank_chance(opposite, n) <= level, above, 0);
	}
}

int main(void)
{
	double same[4] = {0, 0, 0, 0}, even[4] = {3, -3, 2, -2}, three[3] = {1, 2, 6}, many[MANY];

	for (size_t n = 1; n <= 9; n++)
		compare_with_all_ways(n);
	for (size_t n = 3; n <= 16; n++) {
		check_bound(n, 0.05);
		check_bound(n, 0.001);
	}
	expect_near("equal runs", signed_rank_chance(same, 4), 1, 1e-12);
	/* Of equal sizes the growth has the lower rank: 1 and 3 of 10; 10 of 16 ways have 4 or
	 * more. */
	expect_near("equal sizes", signed_rank_chance(even, 4), 11.0 / 16, 1e-12);
	expect_near("estimate", signed_rank_estimate(three, 3), (2 + 3.5) / 2, 1e-12);
	expect_near("estimate of one", signed_rank_estimate(three + 2, 1), 6, 1e-12);
	for (size_t i = 0; i < MANY; i++)
		many[i] = (i % 3 == 0 ? -1.0 : 1.0) * (double)(i + 1);
	expect_near("approximation", signed_rank_chance(many, MANY),
	    signed_rank_chance(many, MANY - 1), 0.03);
	expect_near("approximated bound", signed_rank_most(many, MANY, 0.05),
	    signed_rank_most(many, MANY - 1, 0.05), 3);
	return failures != 0;
}
