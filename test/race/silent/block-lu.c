/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: LU factorization by blocks, whose tasks are ordered by dependences on the blocks.
 * Each task names the blocks that it reads as in and the one that it changes as inout.
 */
#include <math.h>

enum { BLOCKS = 5, SIZE = 8 };

typedef double block[SIZE][SIZE];

static block matrix[BLOCKS][BLOCKS], copy[BLOCKS][BLOCKS];

static void factor(block d)
{
	for (int k = 0; k < SIZE; k++)
		for (int i = k + 1; i < SIZE; i++) {
			d[i][k] /= d[k][k];
			for (int j = k + 1; j < SIZE; j++)
				d[i][j] -= d[i][k] * d[k][j];
		}
}

static void solve_row(block d, block b)
{
	for (int k = 0; k < SIZE; k++)
		for (int i = k + 1; i < SIZE; i++)
			for (int j = 0; j < SIZE; j++)
				b[i][j] -= d[i][k] * b[k][j];
}

static void solve_column(block d, block b)
{
	for (int i = 0; i < SIZE; i++)
		for (int k = 0; k < SIZE; k++) {
			b[i][k] /= d[k][k];
			for (int j = k + 1; j < SIZE; j++)
				b[i][j] -= b[i][k] * d[k][j];
		}
}

static void subtract_product(block left, block above, block b)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			for (int k = 0; k < SIZE; k++)
				b[i][j] -= left[i][k] * above[k][j];
}

static void factor_by_tasks(void)
{
	for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(inout : matrix[k][k])
		factor(matrix[k][k]);
		for (int i = k + 1; i < BLOCKS; i++) {
#pragma omp task depend(in : matrix[k][k]) depend(inout : matrix[k][i])
			solve_row(matrix[k][k], matrix[k][i]);
#pragma omp task depend(in : matrix[k][k]) depend(inout : matrix[i][k])
			solve_column(matrix[k][k], matrix[i][k]);
		}
		for (int i = k + 1; i < BLOCKS; i++)
			for (int j = k + 1; j < BLOCKS; j++) {
#pragma omp task depend(in : matrix[i][k], matrix[k][j]) depend(inout : matrix[i][j])
				subtract_product(matrix[i][k], matrix[k][j], matrix[i][j]);
			}
	}
}

/* An element of the product of both factors. */
static double product_at(int row, int column)
{
	double sum = 0;

	for (int k = 0; k <= row && k <= column; k++) {
		double u = matrix[k / SIZE][column / SIZE][k % SIZE][column % SIZE];
		sum += k == row ? u : matrix[row / SIZE][k / SIZE][row % SIZE][k % SIZE] * u;
	}
	return sum;
}

int main(void)
{
	double error = 0;

	for (int i = 0; i < BLOCKS * SIZE; i++)
		for (int j = 0; j < BLOCKS * SIZE; j++)
			matrix[i / SIZE][j / SIZE][i % SIZE][j % SIZE] =
			    copy[i / SIZE][j / SIZE][i % SIZE][j % SIZE] =
				i == j ? 100 : 1.0 / (1 + i + 2 * j);
#pragma omp parallel
#pragma omp single
	factor_by_tasks();
#pragma omp parallel for collapse(2) reduction(max : error)
	for (int i = 0; i < BLOCKS * SIZE; i++)
		for (int j = 0; j < BLOCKS * SIZE; j++) {
			double expected = copy[i / SIZE][j / SIZE][i % SIZE][j % SIZE];
			error = fmax(error, fabs(product_at(i, j) - expected));
		}
	return !(error < 1e-9);
}
