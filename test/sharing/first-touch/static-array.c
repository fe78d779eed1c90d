/* SPDX-License-Identifier: BSD-3-Clause */
/* serial loop: one thread initialises a static array that a loop divides. */
#include <stdio.h>

enum { N = 1 << 16, SWEEPS = 8 };

static double u[N];

int main(void)
{
	int ones = 0;

#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
	for (int i = 0; i < N; i++)
		u[i] = i % 7; /* touched: u */
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			u[i] = 0.5 * u[i] + 1; /* sharing: first u */
	}
#pragma omp parallel for num_threads(2) reduction(+ : ones)
	for (int i = 0; i < N; i++)
		ones += u[i] > 1; /* sharing: first u */
	printf("%d\n", ones);
	return 0;
}
