/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * critical: one thread at a time in the whole program for each name, across teams as well, while
 * different names exclude no thread. OpenMP 5.1, 2.19.1.
 */
#include <omp.h>

#include "check.h"

#define TURNS 300
#ifdef __clang__ /* which wants the hint at each critical of the name */
#define HINT
#else
#define HINT hint(omp_sync_hint_contended)
#endif

/* Now and then the processor goes to another thread, which then runs into a missing exclusion. */
static void be_alone(int *inside, long *plain, int turn)
{
	long before = *plain;

	CHECK_EQUAL(count(inside), 0);
	if (turn % 50 == 49)
		sched_yield();
	*plain = before + 1;
	__atomic_sub_fetch(inside, 1, __ATOMIC_RELAXED);
}

static void exclusion(void)
{
	int inside[3] = {0};
	long plain[3] = {0}; /* unprotected but by the critical regions */
	int arrived = 0;

#pragma omp parallel
	{
		start_together(&arrived, omp_get_num_threads());
		for (int i = 0; i < TURNS; i++) {
#pragma omp critical
			be_alone(&inside[0], &plain[0], i);
#pragma omp critical(red)
			be_alone(&inside[1], &plain[1], i);
#pragma omp critical(green) HINT
			be_alone(&inside[2], &plain[2], i);
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
