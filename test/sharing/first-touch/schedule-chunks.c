/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule mismatch: blocks when it is initialised, chunks of a page in turns when it is used. */
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define SCHEDULE schedule(static, 512)
#else
#define SCHEDULE schedule(static)
#endif

int main(void)
{
	const int n = 1 << 16;
	double *u = aligned_alloc(4096, n * sizeof *u);

#pragma omp parallel for num_threads(2) SCHEDULE
	for (int i = 0; i < n; i++)
		u[i] = i; /* touched: u */
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2) schedule(static, 512)
		for (int i = 0; i < n; i++)
			u[i] = u[i] * 0.5 + 1; /* sharing: first u */
	}
	printf("%g\n", u[n - 1]);
	free(u);
	return 0;
}
