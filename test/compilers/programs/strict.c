/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 11
 *
 * OpenMP 5.1: strict task loops, masked with a filter, scope, error and nothing.
 */
#include <omp.h>
#include <stdio.h>

static int sizes[4], made;

/* Counts how many tasks had how many iterations: strict leaves no choice but for the last. */
static void task_loops(void)
{
	int owner[23];

	made = 0;
#pragma omp taskloop grainsize(strict : 5) shared(owner)
	for (int i = 0; i < 23; i++) {
		if (i % 5 == 0)
#pragma omp atomic
			made++;
		owner[i] = i / 5;
	}
	for (int i = 0; i < 23; i++)
		sizes[0] += owner[i];
#pragma omp taskloop num_tasks(strict : 4)
	for (int i = 0; i < 24; i++)
#pragma omp atomic
		sizes[i / 6 % 4] += 1;
}

int main(void)
{
	int filtered = 0, sum = 0, wanted = 2;

#pragma omp parallel num_threads(4)
	{
#pragma omp masked filter(wanted)
		{
			filtered += omp_get_thread_num();
			task_loops();
		}
#pragma omp nothing
#pragma omp barrier
#pragma omp error at(execution) severity(warning) message("expected")
#pragma omp scope reduction(+ : sum) nowait
		sum += omp_get_thread_num();
#pragma omp masked filter(omp_get_num_threads())
		filtered = -1;
#pragma omp scope
		{
#pragma omp single
			filtered += 100;
		}
	}
	printf("%d %d %d | %d %d %d %d\n", filtered, sum, made, sizes[0], sizes[1], sizes[2],
	    sizes[3]);
	return 0;
}
