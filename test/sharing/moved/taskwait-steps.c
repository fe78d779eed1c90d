/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks: one thread creates the tasks of all steps, with a taskwait behind each; every second one
 * is stolen. */
#include "turns.h"

#include <stdio.h>

enum { N = 1 << 15 };

static double u[N];

/* Step 0 is without data: only a thread that waits at the end of `single` can execute its task. */
static void create_tasks(void)
{
#pragma omp task
	end_part(0);
	wait_for_part(0);
#pragma omp taskwait
	for (int step = 1; step < STEPS; step++) {
#ifdef FIXED
#pragma omp task
#else
#pragma omp task if (step % 2)
#endif
		{
			for (int i = 0; i < N; i++)
				u[i] += 0.5 * i; /* sharing: moved u */
			end_part(step);
		}
		wait_for_part(step);
#pragma omp taskwait
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	create_tasks();
	printf("%g\n", u[N - 1]);
	return 0;
}
