/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorisation by blocks, ordered only by task dependences, in a taskgroup. */
#include <stdio.h>

enum { BLOCKS = 6, WIDTH = 8, SIZE = BLOCKS * WIDTH };

static double a[SIZE][SIZE];

static void factor(int k)
{
	for (int p = k * WIDTH; p < (k + 1) * WIDTH; p++)
		for (int i = p + 1; i < (k + 1) * WIDTH; i++) {
			a[i][p] /= a[p][p];
			for (int j = p + 1; j < (k + 1) * WIDTH; j++)
				a[i][j] -= a[i][p] * a[p][j];
		}
}

static void solve_row(int k, int n)
{
	for (int p = k * WIDTH; p < (k + 1) * WIDTH; p++)
		for (int i = p + 1; i < (k + 1) * WIDTH; i++)
			for (int j = n * WIDTH; j < (n + 1) * WIDTH; j++)
				a[i][j] -= a[i][p] * a[p][j];
}

static void solve_column(int k, int m)
{
	for (int p = k * WIDTH; p < (k + 1) * WIDTH; p++)
		for (int i = m * WIDTH; i < (m + 1) * WIDTH; i++) {
			a[i][p] /= a[p][p];
			for (int j = p + 1; j < (k + 1) * WIDTH; j++)
				a[i][j] -= a[i][p] * a[p][j];
		}
}

static void update(int k, int m, int n)
{
	for (int i = m * WIDTH; i < (m + 1) * WIDTH; i++)
		for (int p = k * WIDTH; p < (k + 1) * WIDTH; p++)
			for (int j = n * WIDTH; j < (n + 1) * WIDTH; j++)
				a[i][j] -= a[i][p] * a[p][j];
}

int main(void)
{
	char block[BLOCKS][BLOCKS] = {{0}}; /* stands for the block in dependences */
	double trace = block[0][0];

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			a[i][j] = i == j ? SIZE : 1.0 / (1 + i + 2 * j);
#pragma omp parallel
#pragma omp master
#pragma omp taskgroup
	for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(inout : block[k][k])
		factor(k);
		for (int n = k + 1; n < BLOCKS; n++) {
#pragma omp task depend(in : block[k][k]) depend(inout : block[k][n])
			solve_row(k, n);
#pragma omp task depend(in : block[k][k]) depend(inout : block[n][k])
			solve_column(k, n);
		}
		for (int m = k + 1; m < BLOCKS; m++)
			for (int n = k + 1; n < BLOCKS; n++) {
#pragma omp task depend(in : block[m][k], block[k][n]) depend(inout : block[m][n])
				update(k, m, n);
			}
	}
	for (int i = 0; i < SIZE; i++)
		trace += a[i][i];
	printf("trace %.12f\n", trace);
	return 0;
}
