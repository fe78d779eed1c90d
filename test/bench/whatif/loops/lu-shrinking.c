/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factors without pivoting: the parallel loop over the rows below gets shorter with each step.
 */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1400 };

int main(void)
{
	double(*a)[SIZE] = malloc(sizeof(double[SIZE][SIZE])), trace = 0;

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			a[i][j] = i == j ? SIZE : 1.0 / (1 + (i * 31 + j * 17) % 100);
	for (int k = 0; k < SIZE - 1; k++) {
#pragma omp parallel for schedule(static) // @loop
		for (int i = k + 1; i < SIZE; i++) {
			double factor = a[i][k] / a[k][k];
			a[i][k] = factor;
			for (int j = k + 1; j < SIZE; j++)
				a[i][j] -= factor * a[k][j];
		}
	}
	for (int i = 0; i < SIZE; i++)
		trace += a[i][i];
	printf("%.9f\n", trace);
	free(a);
	return 0;
}
