/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules: one loop deals out chunks in turn, the other one parts of the same size. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16, STEPS = 12 };

#ifdef FIXED
#define CHUNKS schedule(static)
#else
#define CHUNKS schedule(static, 1024)
#endif

int main(void)
{
	double *u = aligned_alloc(64, N * sizeof *u);

	for (int i = 0; i < N; i++)
		u[i] = i;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#pragma omp parallel for CHUNKS num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] *= 0.5; /* sharing: moved u */
	}
	printf("%g\n", u[N - 1]);
	free(u);
	return 0;
}
