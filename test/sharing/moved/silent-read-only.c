/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: other threads read the table in each step, but nobody writes it. */
#include <stdio.h>

enum { N = 1 << 16, HALF = N / 2, STEPS = 24 };

static double table[N], sums[STEPS];

int main(void)
{
	for (int i = 0; i < N; i++)
		table[i] = i;
	for (int step = 0; step < STEPS; step++) {
		double sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
		for (int i = 0; i < N; i++)
			sum += table[(i + step % 2 * HALF) % N];
		sums[step] = sum;
	}
	printf("%g\n", sums[STEPS - 1]);
	return 0;
}
