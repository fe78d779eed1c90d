/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: the array is as large as a few lines: what moves is less than a cache has. */
#include <stdio.h>

enum { N = 1 << 10, STEPS = 100 };

static _Alignas(64) double u[N]; /* parts begin with lines */

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i;
#pragma omp parallel for schedule(static, 64) num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] *= 0.5;
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
