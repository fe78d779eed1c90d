/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel for and cancel sections: no thread starts more iterations after it has seen the request at
 * a cancellation point, the construct's barrier still holds, and the team continues after it.
 * OpenMP 5.1, 2.20.1.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 100000

/* Every iteration has a cancellation point, so the loop ends long before its last iteration. */
#define CANCELLED_LOOP(SCHEDULE)                                                                   \
	do {                                                                                       \
		int started = 0;                                                                   \
		int after = 0;                                                                     \
                                                                                                   \
		_Pragma("omp parallel")                                                            \
		{                                                                                  \
			_Pragma(SCHEDULE) for (int i = 0; i < LENGTH; i++)                         \
			{                                                                          \
				_Pragma("omp cancel for if (is_raised(&started, 20))");            \
				_Pragma("omp cancellation point for");                             \
				raise_flag(&started);                                              \
			}                                                                          \
			count(&after);                                                             \
		}                                                                                  \
		CHECK(started >= 20 && started < LENGTH);                                          \
		CHECK_EQUAL(after, omp_get_max_threads());                                         \
	} while (0)

static void loops(void)
{
	CANCELLED_LOOP("omp for schedule(static)");
	CANCELLED_LOOP("omp for schedule(static, 4)");
	CANCELLED_LOOP("omp for schedule(dynamic)");
	CANCELLED_LOOP("omp for schedule(guided)");
	CANCELLED_LOOP("omp for schedule(runtime)");
}

/* The team's next worksharing constructs know nothing of the cancelled one. */
static void the_next_loop_is_whole(void)
{
	int times[64] = {0};
	int first = 0;

#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < LENGTH; i++) {
			count(&first);
#pragma omp cancel for
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 64; i++) {
#pragma omp cancellation point for
			count(&times[i]);
		}
	}
	CHECK(first < LENGTH);
	CHECK_ALL(times, 64, 1);
}

static void sections(void)
{
	int after_cancel = 0;
	int after_point = 0;
	int cancelled = 0;
	int after = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp sections
		{
#pragma omp section
			{
				raise_flag(&cancelled);
#pragma omp cancel sections
				count(&after_cancel);
			}
#pragma omp section
			{
				double deadline = check_deadline(10);

				CHECK(await_flag(&cancelled, 1));
				while (keep_waiting(deadline)) {
#pragma omp cancellation point sections
					sched_yield();
				}
				count(&after_point);
			}
		}
		count(&after);
	}
	CHECK_EQUAL(after_cancel, 0);
	CHECK_EQUAL(after_point, 0);
	CHECK_EQUAL(after, 2);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	omp_set_dynamic(0);
	omp_set_schedule(omp_sched_guided, 2);
	for (int i = 0; i < 10; i++) {
		loops();
		the_next_loop_is_whole();
		sections();
	}
	return check_result();
}
