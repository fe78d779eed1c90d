/* SPDX-License-Identifier: BSD-3-Clause */
/* function: initialised and used by functions that know nothing of OpenMP. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void clear(int *cells, int from, int to)
{
	for (int i = from; i < to; i++)
		cells[i] = i ^ 5; /* touched: cells */
}

__attribute__((noinline)) static long count(const int *cells, int from, int to)
{
	long found = 0;

	for (int i = from; i < to; i++)
		found += cells[i] % 3 == 0; /* sharing: first cells */
	return found;
}

int main(void)
{
	const int n = 1 << 17;
	int *cells = malloc(n * sizeof *cells);
	long found = 0;

#ifdef FIXED
#pragma omp parallel num_threads(2)
	clear(cells, n / 2 * omp_get_thread_num(), n / 2 * (omp_get_thread_num() + 1));
#else
	clear(cells, 0, n);
#endif
	for (int step = 0; step < 6; step++) {
#pragma omp parallel num_threads(2) reduction(+ : found)
		found +=
		    count(cells, n / 2 * omp_get_thread_num(), n / 2 * (omp_get_thread_num() + 1));
	}
	printf("%ld\n", found);
	free(cells);
	return 0;
}
