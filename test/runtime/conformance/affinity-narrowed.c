/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_get_num_procs() counts the processors that are available when it is called: a thread whose
 * affinity the program narrows after the start has fewer, and gets them back. A thread that the
 * runtime itself bound to a place still has the processors of the process. OpenMP 5.2, 18.2.12.
 */
#include <omp.h>

#include "check.h"

static void narrowed(void)
{
	int before = omp_get_num_procs();
	cpu_set_t all, one;

	CHECK_EQUAL(sched_getaffinity(0, sizeof(all), &all), 0);
	CHECK_EQUAL(before, CPU_COUNT(&all));
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	CHECK_EQUAL(sched_setaffinity(0, sizeof(one), &one), 0);
	CHECK_EQUAL(omp_get_num_procs(), 1);
	CHECK_EQUAL(sched_setaffinity(0, sizeof(all), &all), 0);
	CHECK_EQUAL(omp_get_num_procs(), before);
}

int main(int argc, char **argv)
{
	const char *bound = getenv("OMP_PROC_BIND");
	int before = omp_get_num_procs();

	(void)argc;
	if (bound == NULL)
		narrowed();
#pragma omp parallel
	CHECK_EQUAL(omp_get_num_procs(), before);
	if (check_result() == 0)
		check_needs_environment(argv, "OMP_PROC_BIND", "close");
	return check_result();
}
