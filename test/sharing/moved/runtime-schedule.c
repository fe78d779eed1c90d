/* SPDX-License-Identifier: BSD-3-Clause */
/* chunks: the schedule is chosen when the program runs. */
#include "turns.h"

#include <omp.h>
#include <stdio.h>

enum { N = 1 << 16, HALF = N / 2 };

static double u[N];

static void advance(int step)
{
#pragma omp for schedule(runtime)
	for (int i = 0; i < N; i++) {
		if (i % HALF == 0)
			begin_part(step);
		u[i] += 0.5 * i; /* sharing: moved u */
	}
}

int main(void)
{
#ifdef FIXED
	omp_set_schedule(omp_sched_static, 0);
#else
	omp_set_schedule(omp_sched_dynamic, HALF);
#endif
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
		wait_for_turn(omp_get_thread_num() == step % 2, step);
		advance(step);
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
