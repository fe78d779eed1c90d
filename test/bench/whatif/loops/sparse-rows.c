/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix whose rows have lengths by a power law, with the longest at random places. */
#include "chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 30000, STEPS = 500, LONGEST = 10000 };

int main(void)
{
	int *begin = malloc(sizeof *begin * (ROWS + 1)), *columns;
	double *x = malloc(sizeof *x * ROWS), *y = malloc(sizeof *y * ROWS), sum = 0;
	uint64_t state = 4;

	begin[0] = 0;
	for (int row = 0; row < ROWS; row++) {
		double length = 4 / pow(chance_real(&state) + 1e-9, 0.8);
		begin[row + 1] = begin[row] + (length < LONGEST ? (int)length : LONGEST);
		x[row] = 1.0 / (row + 1);
	}
	columns = malloc(sizeof *columns * (size_t)begin[ROWS]);
	for (int i = 0; i < begin[ROWS]; i++)
		columns[i] = (int)(chance_next(&state) % ROWS);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for // @loop
		for (int row = 0; row < ROWS; row++) {
			double dot = 0;
			for (int i = begin[row]; i < begin[row + 1]; i++)
				dot += x[columns[i]];
			y[row] = dot / (begin[row + 1] - begin[row]);
		}
		double *other = x;
		x = y;
		y = other;
	}
	for (int row = 0; row < ROWS; row++)
		sum += x[row];
	printf("%.9f\n", sum);
	free(begin), free(columns), free(x), free(y);
	return 0;
}
