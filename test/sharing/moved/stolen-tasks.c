/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks: in every second step a thread that waits steals the task that another one has created. */
#include "turns.h"

#include <omp.h>
#include <stdio.h>

enum { N = 1 << 15 };

static double u[N];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 0) {
#ifdef FIXED
#pragma omp task if (0)
#else
#pragma omp task if (step % 2)
#endif
			{
				for (int i = 0; i < N; i++)
					u[i] += 0.5 * i; /* sharing: moved u */
				end_part(step);
			}
			wait_for_part(step);
		}
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
