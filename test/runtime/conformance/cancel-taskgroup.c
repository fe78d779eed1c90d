/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel taskgroup: tasks of the group that have not started are dropped, those that run go on to
 * their next cancellation point or their end, and tasks outside are untouched; a cancelled parallel
 * region drops its tasks as well. OpenMP 5.1, 2.20.1.
 */
#include <omp.h>

#include "check.h"

#define TASKS 200

/*
 * The group is cancelled before its later tasks are generated. The specification lets a runtime run
 * or drop them; every runtime that is worth cancelling for drops them.
 */
static void later_tasks_are_dropped(void)
{
	int dropped = 0;
	int outside = 0;
	int cancelled = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		count(&outside);
#pragma omp taskgroup
		{
#pragma omp task
			{
				raise_flag(&cancelled);
#pragma omp cancel taskgroup
				count(&dropped);
			}
#pragma omp taskwait
			CHECK(is_raised(&cancelled, 1));
			for (int i = 0; i < TASKS; i++) {
#pragma omp task
				count(&dropped);
			}
		}
#pragma omp task
		count(&outside);
	}
	CHECK_EQUAL(dropped, 0);
	CHECK_EQUAL(outside, 2);
}

/* Started tasks are not stopped but at a cancellation point. */
static void running_tasks_notice(void)
{
	int stopped = 0;
	int finished = 0;
	int started = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
		{
			raise_flag(&started);
			if (i == 0) {
#pragma omp cancel taskgroup
				count(&finished);
			} else if (i == 1) {
				count(&stopped);
#pragma omp cancellation point taskgroup
				__atomic_sub_fetch(&stopped, 1, __ATOMIC_RELAXED);
			}
		}
	}
	CHECK(started >= 1 && started <= 3);
	CHECK_EQUAL(finished, 0);
	CHECK(stopped == 0 || stopped == 1);
}

/* Descendants belong to the group, inner groups are their own. */
static void search_ends_early(void)
{
	int found = 0;
	int inner = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
			{
				if (i == 1) {
#pragma omp taskgroup
					{
#pragma omp task
						count(&inner);
					}
				}
#pragma omp task firstprivate(i)
				if (i == 7) {
					count(&found);
#pragma omp cancel taskgroup
				}
			}
		}
#pragma omp taskgroup
		{
#pragma omp task
			count(&inner);
		}
	}
	CHECK_EQUAL(found, 1);
	CHECK(inner == 1 || inner == 2);
}

static void parallel_drops_its_tasks(int threads)
{
	int dropped = 0;

#pragma omp parallel
	{
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
			count(&dropped);
		}
		double deadline = check_deadline(10);

		while (keep_waiting(deadline)) {
#pragma omp cancellation point parallel
			sched_yield();
		}
#pragma omp task
		count(&dropped);
	}
	CHECK_EQUAL(dropped, 0);
	CHECK(threads > 0);
}

/* The group of a taskloop is its own: the next one is whole. */
static void taskloop_is_cancelled(void)
{
	int started = 0;
	int next[100] = {0};

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < 2000; i++) {
		count(&started);
#pragma omp cancel taskgroup
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 1; i++) {
#pragma omp cancel taskgroup
			count(&started);
		}
#pragma omp taskloop grainsize(3)
		for (int i = 0; i < 100; i++) {
#pragma omp cancellation point taskgroup
			count(&next[i]);
		}
	}
	CHECK_ALL(next, 100, 1);
	CHECK(started >= 1 && started <= 2000);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		later_tasks_are_dropped();
		running_tasks_notice();
		search_ends_early();
		parallel_drops_its_tasks(omp_get_max_threads());
		if (i < 3)
			taskloop_is_cancelled();
	}
	return check_result();
}
