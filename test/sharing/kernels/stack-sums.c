/* SPDX-License-Identifier: BSD-3-Clause */
/* stack: a reduction by hand, whose partial sums are neighbours in an array of the master thread.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 20, THREADS = 2 };

int main(void)
{
	double *values = malloc(COUNT * sizeof *values), sum = 0;
	double sums[THREADS] = {0};

	for (long i = 0; i < COUNT; i++)
		values[i] = (double)(i % 7);
#pragma omp parallel num_threads(THREADS)
	{
		int thread = omp_get_thread_num();
#ifdef FIXED
		double own = 0;
#pragma omp for
		for (long i = 0; i < COUNT; i++)
			own += values[i];
		sums[thread] = own;
#else
#pragma omp for
		for (long i = 0; i < COUNT; i++)
			sums[thread] += values[i]; /* sharing: false sums */
#endif
	}
	for (int i = 0; i < THREADS; i++)
		sum += sums[i];
	printf("%g\n", sum);
	free(values);
	return 0;
}
