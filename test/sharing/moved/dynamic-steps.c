/* SPDX-License-Identifier: BSD-3-Clause */
/* chunks: in each step the threads get the two chunks in another order. */
#include "turns.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16, HALF = N / 2 };

#ifdef FIXED
#define CHUNKS schedule(static)
#else
#define CHUNKS schedule(dynamic, HALF)
#endif

int main(void)
{
	double *u = calloc(N, sizeof *u);

#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
		wait_for_turn(omp_get_thread_num() == step % 2, step);
#pragma omp for CHUNKS
		for (int i = 0; i < N; i++) {
			if (i % HALF == 0)
				begin_part(step);
			u[i] += 0.5 * i; /* sharing: moved u */
		}
	}
	printf("%g\n", u[N - 1]);
	free(u);
	return 0;
}
