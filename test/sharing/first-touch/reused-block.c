/* SPDX-License-Identifier: BSD-3-Clause */
/* memory anew: a block that was freed says nothing of the one that has its place. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

__attribute__((noinline)) static void fill(double *block)
{
	for (int i = 0; i < N; i++)
		block[i] = 1; /* touched: second */
}

__attribute__((noinline)) static void fill_parallel(double *block)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++)
		block[i] = 1;
}

int main(void)
{
	/* Both blocks are at the same address. */
	mallopt(M_MMAP_THRESHOLD, 1 << 25);
	mallopt(M_TRIM_THRESHOLD, 1 << 25);
	double *first = malloc(N * sizeof *first);
#ifdef FIXED
	fill(first);
#else
	fill_parallel(first);
#endif
	double sum = first[N / 2];
	free(first);
	double *second = malloc(N * sizeof *second);
#ifdef FIXED
	fill_parallel(second);
#else
	fill(second);
#endif
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			second[i] *= 1.25; /* sharing: first second */
	}
	printf("%g\n", sum + second[N - 1]);
	free(second);
	return 0;
}
