/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nested parallel regions: at each level the API routines return level, active level, ancestors and
 * team sizes, and max-active-levels-var serialises what lies deeper. OpenMP 5.1, 3.2.16 - 3.2.21.
 */
#include <omp.h>

#include "check.h"

#define OUTER 3
#define INNER 2

static void check_outside(void)
{
	CHECK_EQUAL(omp_get_level(), 0);
	CHECK_EQUAL(omp_get_active_level(), 0);
	CHECK_EQUAL(omp_get_ancestor_thread_num(0), 0);
	CHECK_EQUAL(omp_get_ancestor_thread_num(1), -1);
	CHECK_EQUAL(omp_get_ancestor_thread_num(-1), -1);
	CHECK_EQUAL(omp_get_team_size(0), 1);
	CHECK_EQUAL(omp_get_team_size(1), -1);
	CHECK_EQUAL(omp_get_team_size(-1), -1);
	CHECK_EQUAL(omp_in_parallel(), 0);
}

static void three_levels(void)
{
	int leaves[OUTER][INNER] = {{0}};

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(OUTER)
	{
		int outer = omp_get_thread_num();

		CHECK_EQUAL(omp_get_level(), 1);
		CHECK_EQUAL(omp_get_active_level(), 1);
#pragma omp parallel num_threads(1)
		{
			CHECK_EQUAL(omp_get_thread_num(), 0);
			CHECK_EQUAL(omp_get_level(), 2);
			CHECK_EQUAL(omp_get_active_level(), 1);
			CHECK_EQUAL(omp_in_parallel(), 1);
#pragma omp parallel num_threads(INNER)
			{
				int inner = omp_get_thread_num();

				CHECK_EQUAL(omp_get_level(), 3);
				CHECK_EQUAL(omp_get_active_level(), 2);
				CHECK_EQUAL(omp_get_num_threads(), INNER);
				CHECK_EQUAL(omp_get_ancestor_thread_num(0), 0);
				CHECK_EQUAL(omp_get_ancestor_thread_num(1), outer);
				CHECK_EQUAL(omp_get_ancestor_thread_num(2), 0);
				CHECK_EQUAL(omp_get_ancestor_thread_num(3), inner);
				CHECK_EQUAL(omp_get_ancestor_thread_num(4), -1);
				CHECK_EQUAL(omp_get_team_size(0), 1);
				CHECK_EQUAL(omp_get_team_size(1), OUTER);
				CHECK_EQUAL(omp_get_team_size(2), 1);
				CHECK_EQUAL(omp_get_team_size(3), INNER);
				CHECK_EQUAL(omp_get_team_size(4), -1);
				count(&leaves[outer][inner]);
			}
		}
		CHECK_EQUAL(omp_get_thread_num(), outer);
		CHECK_EQUAL(omp_get_num_threads(), OUTER);
	}
	CHECK_ALL(&leaves[0][0], OUTER * INNER, 1);
}

static void limited(int levels)
{
	int leaves = 0;
	int expected = (levels >= 1 ? 2 : 1) * (levels >= 2 ? 2 : 1) * (levels >= 3 ? 2 : 1);

	omp_set_max_active_levels(levels);
	CHECK_EQUAL(omp_get_max_active_levels(), levels);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
		CHECK_EQUAL(omp_get_level(), 3);
		CHECK_EQUAL(omp_get_active_level(), levels);
		CHECK_EQUAL(omp_in_parallel(), levels > 0);
		count(&leaves);
	}
	CHECK_EQUAL(leaves, expected);
}

/* Worksharing binds to the innermost team: each inner team runs all iterations once. */
static void inner_worksharing(void)
{
	int times[24] = {0};

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(OUTER)
#pragma omp parallel num_threads(INNER)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 24; i++)
			count(&times[i]);
#pragma omp for schedule(static)
		for (int i = 0; i < 24; i++)
			count(&times[i]);
	}
	CHECK_ALL(times, 24, 2 * OUTER);
}

int main(void)
{
	omp_set_dynamic(0);
	check_outside();
	for (int i = 0; i < 10; i++) {
		three_levels();
		for (int levels = 0; levels <= 3; levels++)
			limited(levels);
		inner_worksharing();
	}
	check_outside();
	return check_result();
}
