/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky factors, column by column: triangles that shrink, in a loop of a region of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1300 };

static void update(double (*a)[SIZE], int k)
{
#pragma omp parallel for schedule(dynamic, 16) // @loop
	for (int i = k + 1; i < SIZE; i++)
		for (int j = k + 1; j <= i; j++)
			a[i][j] -= a[i][k] * a[j][k];
}

int main(void)
{
	double(*a)[SIZE] = malloc(sizeof(double[SIZE][SIZE])), sum = 0;

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			a[i][j] = i == j ? SIZE : 1.0 / (1 + abs(i - j));
	for (int k = 0; k < SIZE; k++) {
		a[k][k] = sqrt(a[k][k]);
		for (int i = k + 1; i < SIZE; i++)
			a[i][k] /= a[k][k];
		update(a, k);
	}
	for (int i = 0; i < SIZE; i++)
		sum += log(a[i][i]);
	printf("%.9f\n", sum);
	free(a);
	return 0;
}
