/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds: the second loop has half of the iterations, so that each thread's part is another one. */
#include <stdio.h>

enum { N = 1 << 17, HALF = N / 2, STEPS = 12 };

#ifdef FIXED
#define LAST N
#else
#define LAST HALF
#endif

static double u[N];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i; /* sharing: moved u */
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < LAST; i++)
			if (i < HALF)
				u[i] *= 0.5; /* sharing: moved u */
	}
	printf("%g\n", u[N - 1]);
	return 0;
}
