/* SPDX-License-Identifier: BSD-3-Clause */
/* serial loop: one thread initialises what loops in another function divide. */
#include <stdio.h>
#include <stdlib.h>

static void solve(double *next, const double *now, long n)
{
#pragma omp parallel for num_threads(2)
	for (long i = 1; i < n - 1; i++)
		next[i] = now[i - 1] + 2 * now[i]; /* sharing: first next, sharing: first now */
}

int main(void)
{
	const long n = 1 << 16;
	double *next = malloc(n * sizeof *next);
	double *now = malloc(n * sizeof *now);

#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
	for (long i = 0; i < n; i++) {
		next[i] = 1; /* touched: next */
		now[i] = i;  /* touched: now */
	}
	for (int step = 0; step < 8; step++)
		solve(next, now, n);
	printf("%g\n", next[n / 2]);
	free(next);
	free(now);
	return 0;
}
