/* SPDX-License-Identifier: BSD-3-Clause */
/* memset: one thread fills all of an array, or each its part. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	const long n = 1 << 16;
	long *counts = malloc(n * sizeof *counts);

#ifdef FIXED
#pragma omp parallel num_threads(2)
	{
		const long part = n / omp_get_num_threads();
		memset(counts + part * omp_get_thread_num(), 255, part * sizeof *counts);
	}
	/* A read by one thread is no first touch any more. */
	for (long i = 0; i < n; i += 64)
		if (counts[i] != -1)
			return 1;
#else
	memset(counts, 255, n * sizeof *counts); /* touched: counts */
#endif
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2)
		for (long i = 0; i < n; i++)
			counts[i] += i & step; /* sharing: first counts */
	}
	printf("%ld\n", counts[n - 1]);
	free(counts);
	return 0;
}
