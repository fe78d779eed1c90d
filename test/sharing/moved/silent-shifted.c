/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: the second loop begins a little later, so that few lines are another thread's before. */
#include <stdio.h>

enum { N = 1 << 19, FIRST = N / 16, STEPS = 12 };

static double u[N];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i;
#pragma omp parallel for num_threads(2)
		for (int i = FIRST; i < N; i++)
			u[i] *= 0.5;
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
