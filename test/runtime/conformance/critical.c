/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * critical: one thread at a time in the whole program for each name, across teams as well, while
 * different names exclude nobody. OpenMP 5.1, 2.19.1.
 */
#include <omp.h>

#include "check.h"

#define TURNS 300

static void exclusion(void)
{
	int inside[3] = {0};
	long plain[3] = {0}; /* unprotected but by the critical regions */

#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
#pragma omp critical
		{
			CHECK_EQUAL(count(&inside[0]), 0);
			plain[0]++;
			__atomic_sub_fetch(&inside[0], 1, __ATOMIC_RELAXED);
		}
#pragma omp critical(red)
		{
			CHECK_EQUAL(count(&inside[1]), 0);
			plain[1]++;
			__atomic_sub_fetch(&inside[1], 1, __ATOMIC_RELAXED);
		}
#pragma omp critical(green) hint(omp_sync_hint_contended)
		{
			CHECK_EQUAL(count(&inside[2]), 0);
			plain[2]++;
			__atomic_sub_fetch(&inside[2], 1, __ATOMIC_RELAXED);
		}
	}
	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(plain[i], (long)TURNS * omp_get_max_threads());
}

/* Each waits inside its own region for the other one: only independent names let both in. */
static void names_are_independent(void)
{
	int in_red = 0;
	int in_unnamed = 0;
	int in_green = 0;

#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp critical(red)
			{
				raise_flag(&in_red);
				CHECK(await_flag(&in_unnamed, 1));
				CHECK(await_flag(&in_green, 1));
			}
		} else if (omp_get_thread_num() == 1) {
#pragma omp critical
			{
				raise_flag(&in_unnamed);
				CHECK(await_flag(&in_red, 1));
				CHECK(await_flag(&in_green, 1));
			}
		} else {
#pragma omp critical(green)
			{
				raise_flag(&in_green);
				CHECK(await_flag(&in_red, 1));
				CHECK(await_flag(&in_unnamed, 1));
			}
		}
	}
}

static void across_nested_teams(void)
{
	int plain = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 50; i++) {
#pragma omp critical(red)
		plain++;
	}
	CHECK_EQUAL(plain, 300);
}

static void nested_names(void)
{
	int plain = 0;

#pragma omp parallel
	for (int i = 0; i < 50; i++) {
#pragma omp critical(red)
		{
#pragma omp critical(green)
			plain++;
		}
	}
	CHECK_EQUAL(plain, 50 * omp_get_max_threads());
}

int main(void)
{
	omp_set_dynamic(0);
	exclusion();
	for (int i = 0; i < 20; i++)
		names_are_independent();
	across_nested_teams();
	nested_names();
	return check_result();
}
