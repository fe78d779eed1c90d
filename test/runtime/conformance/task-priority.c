/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * priority: max-task-priority-var comes from the environment; tasks of every priority run once,
 * with and without dependences, and where one thread runs all of them, those ready at the same time
 * run in the order of their priorities. (The specification recommends that order.)
 * OpenMP 5.1, 2.12.1.
 */
#include <omp.h>

#include "check.h"

static void each_once(void)
{
	int times[60] = {0};
	int chain = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0) {
#pragma omp task priority(i % 7) depend(inout : chain)
			{
				CHECK_EQUAL(chain, i / 3);
				chain++;
				count(&times[i]);
			}
		} else {
#pragma omp task priority(i % 13)
			count(&times[i]);
		}
	}
	CHECK_ALL(times, 60, 1);
	CHECK_EQUAL(chain, 20);
}

/* The other thread is kept busy, so that a single thread executes all tasks at one taskwait. */
static void highest_first(void)
{
	int order[8];
	int next = 0;
	int busy = 0;
	int over = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		raise_flag(&busy);
		CHECK(await_flag(&over, 1));
	} else {
		CHECK(await_flag(&busy, 1));
		for (int i = 0; i < 8; i++) {
#pragma omp task priority(i * 5 % 8)
			order[count(&next)] = i * 5 % 8;
		}
#pragma omp taskwait
		raise_flag(&over);
	}
	CHECK_EQUAL(next, 8);
	for (int i = 0; i < 8; i++)
		CHECK_EQUAL(order[i], 7 - i);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_MAX_TASK_PRIORITY", "10");
	CHECK_EQUAL(omp_get_max_task_priority(), 10);
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		each_once();
		highest_first();
	}
	return check_result();
}
