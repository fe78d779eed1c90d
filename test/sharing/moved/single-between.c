/* SPDX-License-Identifier: BSD-3-Clause */
/* one thread: between the loops a single construct scales the array. */
#include "turns.h"

#include <omp.h>
#include <stdio.h>

enum { N = 1 << 16 };

static double u[N];

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
#pragma omp for
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#ifdef FIXED
#pragma omp for
#else
		wait_for_turn(omp_get_thread_num() == step % 2, step);
#pragma omp single
#endif
		for (int i = 0; i < N; i++) {
#ifndef FIXED
			if (i == 0)
				end_part(step);
#endif
			u[i] *= 0.5; /* sharing: moved u */
		}
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
