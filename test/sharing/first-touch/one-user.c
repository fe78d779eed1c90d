/* SPDX-License-Identifier: BSD-3-Clause */
/* one thread: it initialises an array, uses it, and other threads come seldom. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const int n = 1 << 16;
	double *u = malloc(n * sizeof *u), sum = 0;

	for (int i = 0; i < n; i++)
		u[i] = i;
	for (int sweep = 0; sweep < 20; sweep++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp master
			for (int i = 0; i < n; i++)
				u[i] += sweep;
		}
	}
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += u[i];
	printf("%g\n", sum);
	free(u);
	return 0;
}
