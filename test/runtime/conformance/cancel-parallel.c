/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel parallel: threads that reach a cancellation point after the request end the region, also
 * those that wait in a barrier; the next region is a fresh one. A false if clause cancels nothing.
 * OpenMP 5.1, 2.20.1.
 */
#include <omp.h>

#include "check.h"

static void everybody_leaves(int threads)
{
	int entered = 0;
	int after = 0;

#pragma omp parallel
	{
		count(&entered);
#pragma omp barrier
		if (omp_get_thread_num() == threads - 1) {
#pragma omp cancel parallel
			count(&after);
		}
		double deadline = check_deadline(10);

		while (keep_waiting(deadline)) {
#pragma omp cancellation point parallel
			sched_yield();
		}
		count(&after);
	}
	CHECK_EQUAL(entered, threads);
	CHECK_EQUAL(after, 0);
}

static void waiters_in_a_barrier_leave(int threads)
{
	int after = 0;

#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
			struct timespec pause = {0, 500000};

			nanosleep(&pause, NULL);
#pragma omp cancel parallel
			count(&after);
		}
#pragma omp barrier
		count(&after);
	}
	CHECK_EQUAL(after, 0);
	CHECK(threads > 0);
}

static void condition_decides(int threads)
{
	int after = 0;

#pragma omp parallel
	{
#pragma omp cancel parallel if (threads < 0)
#pragma omp cancellation point parallel
		count(&after);
#pragma omp barrier
		count(&after);
	}
	CHECK_EQUAL(after, 2 * threads);
}

/* Only the innermost region is cancelled. */
static void the_outer_region_goes_on(void)
{
	int outer = 0;
	int inner = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(3)
		{
#pragma omp cancel parallel
			count(&inner);
		}
#pragma omp barrier
		count(&outer);
	}
	CHECK_EQUAL(inner, 0);
	CHECK_EQUAL(outer, 2);
}

int main(int argc, char **arguments)
{
	int threads = omp_get_max_threads();

	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	CHECK_EQUAL(omp_get_cancellation(), 1);
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		everybody_leaves(threads);
		waiters_in_a_barrier_leave(threads);
		condition_decides(threads);
		the_outer_region_goes_on();
	}
	return check_result();
}
