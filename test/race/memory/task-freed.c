/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: memory is freed while a task that uses it may not have been executed.
 */
#include <sched.h>
#include <stdlib.h>

static double result;

/* Tasks wait for it, so that the function that generates them comes first. */
static int gate;

static void open_gate(void)
{
#pragma omp atomic write
	gate = 1;
}

static void wait_for_gate(void)
{
	int is_open;

	do {
		sched_yield();
#pragma omp atomic read
		is_open = gate;
	} while (!is_open);
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		double *values = calloc(100, sizeof *values);

#pragma omp task firstprivate(values)
		{
			wait_for_gate();
			result = values[50]; /* memory: read */
		}
#ifdef FIXED
		open_gate();
#pragma omp taskwait
#endif
		free(values); /* memory: freed */
		open_gate();
	}
	return 0;
}
