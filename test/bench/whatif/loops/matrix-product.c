/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of two matrices, row by row in the order i, k, j. */
#include <stdio.h>

enum { SIZE = 1000 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void)
{
	double trace = 0;

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			a[i][j] = (i + j) % 10;
			b[i][j] = i == j ? 2 : (i * j) % 3;
		}
#pragma omp parallel for // @loop
	for (int i = 0; i < SIZE; i++)
		for (int k = 0; k < SIZE; k++)
			for (int j = 0; j < SIZE; j++)
				c[i][j] += a[i][k] * b[k][j];
	for (int i = 0; i < SIZE; i++)
		trace += c[i][i];
	printf("%.1f\n", trace);
	return 0;
}
