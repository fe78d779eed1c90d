/* SPDX-License-Identifier: BSD-3-Clause */
/* single: one thread of the region initialises what all use behind its barrier. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const int n = 1 << 16;
	double *u = malloc(n * sizeof *u);

#pragma omp parallel num_threads(2)
	{
#ifdef FIXED
#pragma omp for
#else
#pragma omp single
#endif
		for (int i = 0; i < n; i++)
			u[i] = 1; /* touched: u */
		for (int step = 0; step < 8; step++) {
#pragma omp for
			for (int i = 0; i < n; i++)
				u[i] += step; /* sharing: first u */
		}
	}
	printf("%g\n", u[n - 1]);
	free(u);
	return 0;
}
