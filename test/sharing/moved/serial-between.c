/* SPDX-License-Identifier: BSD-3-Clause */
/* one thread: between the loops serial code scales the array. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16, STEPS = 12 };

int main(void)
{
	double *u = calloc(N, sizeof *u);

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
		for (int i = 0; i < N; i++)
			u[i] *= 0.5; /* sharing: moved u */
	}
	printf("%g\n", u[N - 1]);
	free(u);
	return 0;
}
