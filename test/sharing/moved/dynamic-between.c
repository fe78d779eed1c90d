/* SPDX-License-Identifier: BSD-3-Clause */
/* chunks: of two loops in each step one has dynamic chunks, which the threads get in another order
 * than the parts of the other one. */
#include "turns.h"

#include <omp.h>
#include <stdio.h>

enum { N = 1 << 16, HALF = N / 2 };

#ifdef FIXED
#define CHUNKS schedule(static)
#else
#define CHUNKS schedule(guided, HALF)
#endif

static double u[N];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#pragma omp parallel num_threads(2)
		{
			wait_for_turn(omp_get_thread_num() == 1, step);
#pragma omp for CHUNKS
			for (int i = 0; i < N; i++) {
				if (i % HALF == 0)
					begin_part(step);
				u[i] *= 0.5; /* sharing: moved u */
			}
		}
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
