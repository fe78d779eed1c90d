/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With cancel-var false, which is the default, cancel and cancellation point do nothing at all.
 * OpenMP 5.1, 2.20.1 and 6.11.
 */
#include <omp.h>

#include "check.h"

int main(int argc, char **arguments)
{
	int threads = omp_get_max_threads();
	int after = 0;
	int iterations = 0;
	int sections = 0;
	int tasks = 0;

	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "false");
	CHECK_EQUAL(omp_get_cancellation(), 0);
	omp_set_dynamic(0);
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp cancellation point for
			count(&iterations);
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
				count(&sections);
			}
#pragma omp section
			count(&sections);
		}
#pragma omp taskgroup
		for (int i = 0; i < 10; i++) {
#pragma omp task
			{
#pragma omp cancel taskgroup
				count(&tasks);
			}
		}
#pragma omp cancel parallel
#pragma omp cancellation point parallel
		count(&after);
	}
	CHECK_EQUAL(iterations, 100);
	CHECK_EQUAL(sections, 2);
	CHECK_EQUAL(tasks, 10 * threads);
	CHECK_EQUAL(after, threads);
	return check_result();
}
