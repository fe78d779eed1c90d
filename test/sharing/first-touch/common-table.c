/* SPDX-License-Identifier: BSD-3-Clause */
/* table: all threads read all of what one has made: no thread's part of it could be nearer. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const int n = 1 << 14;
	double *table = malloc(n * sizeof *table), sum = 0;

	for (int i = 0; i < n; i++)
		table[i] = i;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	for (int sweep = 0; sweep < 20; sweep++)
		for (int i = 0; i < n; i++)
			sum += table[i] * sweep;
	printf("%g\n", sum);
	free(table);
	return 0;
}
