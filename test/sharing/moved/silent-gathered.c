/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: what the threads write in parts, all of them read: it is shared in each interval. */
#include <omp.h>
#include <stdio.h>

enum { N = 1 << 15, STEPS = 24 };

static double x[N], sums[2][8];

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
		double sum = 0;

#pragma omp for
		for (int i = 0; i < N; i++)
			x[i] += 0.5 * i;
		for (int i = 0; i < N; i++)
			sum += x[i];
		sums[omp_get_thread_num()][0] += sum;
#pragma omp barrier
	}
	printf("%g\n", sums[0][0] + sums[1][0]);
	return 0;
}
