/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ICVs belong to the data environment of a task: an implicit or explicit task inherits its
 * generating task's values, and what it sets is seen by its own descendants only.
 * OpenMP 5.1, 2.4.2 and 2.4.4.
 */
#include <omp.h>

#include "check.h"

static void set_differently(int number)
{
	omp_sched_t kind;
	int chunk;

	omp_set_num_threads(number + 2);
	omp_set_dynamic(number % 2);
	omp_set_schedule(number % 2 ? omp_sched_guided : omp_sched_static, number + 1);
#pragma omp barrier
	CHECK_EQUAL(omp_get_max_threads(), number + 2);
	CHECK_EQUAL(omp_get_dynamic(), number % 2);
	omp_get_schedule(&kind, &chunk);
	CHECK_EQUAL(kind, number % 2 ? omp_sched_guided : omp_sched_static);
	CHECK_EQUAL(chunk, number + 1);
}

static void explicit_tasks(void)
{
	int before = omp_get_max_threads();

#pragma omp task firstprivate(before)
	{
		CHECK_EQUAL(omp_get_max_threads(), before);
		omp_set_num_threads(before + 40);
#pragma omp task
		CHECK_EQUAL(omp_get_max_threads(), before + 40);
#pragma omp taskwait
		CHECK_EQUAL(omp_get_max_threads(), before + 40);
	}
#pragma omp taskwait
	CHECK_EQUAL(omp_get_max_threads(), before);
#pragma omp task if (0)
	omp_set_num_threads(before + 50);
	CHECK_EQUAL(omp_get_max_threads(), before);
}

int main(void)
{
	int threads = omp_get_max_threads();
	omp_sched_t kind;
	int chunk;

	omp_set_dynamic(0);
	omp_set_schedule(omp_sched_dynamic, 7);
	for (int i = 0; i < 20; i++) {
#pragma omp parallel
		{
			CHECK_EQUAL(omp_get_max_threads(), threads);
			CHECK_EQUAL(omp_get_dynamic(), 0);
			set_differently(omp_get_thread_num());
			explicit_tasks();
		}
		CHECK_EQUAL(omp_get_max_threads(), threads);
		CHECK_EQUAL(omp_get_dynamic(), 0);
		omp_get_schedule(&kind, &chunk);
		CHECK_EQUAL(kind, omp_sched_dynamic);
		CHECK_EQUAL(chunk, 7);
	}
	return check_result();
}
