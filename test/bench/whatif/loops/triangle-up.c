/* SPDX-License-Identifier: BSD-3-Clause */
/* A packed lower triangular matrix times a vector, again and again: row i has i + 1 entries. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 2000, STEPS = 400 };

int main(void)
{
	double *packed = malloc(sizeof *packed * ROWS * (ROWS + 1) / 2);
	double x[ROWS], y[ROWS], sum = 0;

	for (int i = 0; i < ROWS * (ROWS + 1) / 2; i++)
		packed[i] = 1.0 / (1 + i % 1000);
	for (int i = 0; i < ROWS; i++)
		x[i] = 1;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for // @loop
		for (int row = 0; row < ROWS; row++) {
			const double *entries = packed + (size_t)row * (size_t)(row + 1) / 2;
			double dot = 0;
			for (int column = 0; column <= row; column++)
				dot += entries[column] * x[column];
			y[row] = dot;
		}
		for (int i = 0; i < ROWS; i++)
			x[i] = y[i] / (1 + y[ROWS - 1]);
	}
	for (int i = 0; i < ROWS; i++)
		sum += x[i];
	printf("%.9f\n", sum);
	free(packed);
	return 0;
}
