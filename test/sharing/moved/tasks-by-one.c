/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks: a loop's parts are used by tasks that the creating thread executes itself. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16, BLOCK = N / 8, STEPS = 12 };

int main(void)
{
	float *u = calloc(N, sizeof *u), *v = calloc(N, sizeof *v);

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			v[i] = u[i] + 0.5f * (float)i; /* sharing: moved u, sharing: moved v */
#pragma omp parallel num_threads(2)
#ifdef FIXED
#pragma omp for schedule(static)
#else
#pragma omp single
#pragma omp taskloop if (0) grainsize(1)
#endif
		for (int block = 0; block < N / BLOCK; block++)
			for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++)
				u[i] = 0.5f * v[i]; /* sharing: moved u, sharing: moved v */
	}
	printf("%g\n", (double)u[N - 1]);
	free(u);
	free(v);
	return 0;
}
