/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskgroup waits for all tasks generated in it and for their descendants, and for no task from
 * before it; groups nest. OpenMP 5.1, 2.19.6.
 */
#include <omp.h>

#include "check.h"

static void grow(int depth, int *done)
{
	for (int i = 0; i < 3 && depth > 0; i++) {
#pragma omp task firstprivate(depth)
		grow(depth - 1, done);
	}
	count(done);
}

static void waits_for_descendants(void)
{
	int done = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 1; round <= 5; round++) {
#pragma omp taskgroup
		grow(4, &done);
		CHECK_EQUAL(
		    __atomic_load_n(&done, __ATOMIC_RELAXED), round * (1 + 3 + 9 + 27 + 81));
	}
}

static void not_for_earlier_tasks(void)
{
	int released = 0;
	int started = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		{
			raise_flag(&started);
			CHECK(await_flag(&released, 1));
		}
		CHECK(await_flag(&started, 1)); /* the other thread has it */
#pragma omp taskgroup
		{
#pragma omp task
			dawdle(100);
		}
		raise_flag(&released);
	}
}

static void nested_groups(void)
{
	int outer = 0;
	int inner = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task
			{
				int mine = 0;

#pragma omp taskgroup
				grow(2, &mine);
				CHECK_EQUAL(mine, 1 + 3 + 9);
				count(&outer);
			}
		}
#pragma omp taskgroup
		grow(3, &inner);
		CHECK_EQUAL(inner, 1 + 3 + 9 + 27);
	}
	CHECK_EQUAL(outer, 4);
}

/* Each thread of the team has its own group at the same time. */
static void one_for_each_thread(void)
{
#pragma omp parallel
	{
		int mine = 0;

#pragma omp taskgroup
		grow(3, &mine);
		CHECK_EQUAL(mine, 1 + 3 + 9 + 27);
#pragma omp taskgroup
		{
		}
	}
}

int main(void)
{
	int outside = 0;

	omp_set_dynamic(0);
#pragma omp taskgroup
	grow(2, &outside);
	CHECK_EQUAL(outside, 13);
	for (int i = 0; i < 5; i++) {
		waits_for_descendants();
		not_for_earlier_tasks();
		nested_groups();
		one_for_each_thread();
	}
	return check_result();
}
