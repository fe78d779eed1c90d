/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tied task resumes on the thread that started it, and a task sees the team numbers of the region
 * it binds to, whichever thread runs it; threadprivate data therefore hold across its scheduling
 * points. OpenMP 5.1, 2.12.6.
 */
#include <omp.h>

#include "check.h"

static int mine;
#pragma omp threadprivate(mine)

static void suspended(int depth)
{
	int thread = omp_get_thread_num();

	mine = thread;
	for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task firstprivate(depth)
		suspended(depth - 1);
	}
#pragma omp taskyield
	CHECK_EQUAL(omp_get_thread_num(), thread);
	CHECK_EQUAL(mine, thread);
#pragma omp taskwait
	CHECK_EQUAL(omp_get_thread_num(), thread);
	CHECK_EQUAL(mine, thread);
}

static void numbers_in_tasks(int threads)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
#pragma omp task
		if (omp_get_num_threads() != threads || omp_get_thread_num() >= threads ||
		    omp_get_level() != 1 || omp_in_parallel() != (threads > 1))
			count(&wrong);
	}
	CHECK_EQUAL(wrong, 0);
}

/* A region inside of a task has a team of its own; the task's is back after it. */
static void regions_in_tasks(int threads)
{
	int members = 0;

	omp_set_max_active_levels(4);
#pragma omp parallel num_threads(threads < 4 ? threads : 4)
#pragma omp single
	for (int i = 0; i < 6; i++) {
#pragma omp task
		{
			int outside = omp_get_thread_num();
			int level = omp_get_level();

#pragma omp parallel num_threads(2)
			{
				CHECK_EQUAL(omp_get_level(), level + 1);
				CHECK_EQUAL(omp_get_ancestor_thread_num(level), outside);
				CHECK_EQUAL(omp_get_num_threads(), 2);
				count(&members);
			}
			CHECK_EQUAL(omp_get_thread_num(), outside);
			CHECK_EQUAL(omp_get_level(), level);
		}
	}
	CHECK_EQUAL(members, 12);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
#pragma omp parallel
#pragma omp single
		suspended(6);
		numbers_in_tasks(threads);
		regions_in_tasks(threads);
	}
	return check_result();
}
