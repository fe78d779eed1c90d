/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: each thread has an array of its own, on the heap and on its stack, between serial parts.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 14, STEPS = 24 };

static double *arrays[2], results[2][8];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(2)
		{
			const int self = omp_get_thread_num();
			double local[1024];

			if (step == 0)
				arrays[self] = calloc(N, sizeof *arrays[self]);
			for (int i = 0; i < N; i++) {
				arrays[self][i] += 0.5 * i;
				local[i % 1024] = arrays[self][i];
			}
			results[self][0] += local[step];
		}
		results[0][1] += results[0][0] + results[1][0];
	}
	printf("%g\n", results[0][1]);
	return 0;
}
