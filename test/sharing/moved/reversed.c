/* SPDX-License-Identifier: BSD-3-Clause */
/* index: the second loop uses the array from its end. */
#include <stdio.h>

enum { N = 1 << 16, STEPS = 12 };

#ifdef FIXED
#define AT(i) (i)
#else
#define AT(i) (N - 1 - (i))
#endif

static double u[N];

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
#pragma omp for
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#pragma omp for
		for (int i = 0; i < N; i++)
			u[AT(i)] *= 0.5; /* sharing: moved u */
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
