/* SPDX-License-Identifier: BSD-3-Clause */
/* Every third column of a table is scaled by its norm: each iteration jumps through all rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1500, COLUMNS = 3000, STEPS = 30 };

int main(void)
{
	double *table = malloc(sizeof *table * ROWS * COLUMNS), sum = 0;

	for (int i = 0; i < ROWS * COLUMNS; i++)
		table[i] = 1 + i % 9;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static) // @loop
		for (int column = step % 3; column < COLUMNS; column += 3) {
			double squares = 0;
			for (int row = 0; row < ROWS; row++)
				squares +=
				    table[row * COLUMNS + column] * table[row * COLUMNS + column];
			for (int row = 0; row < ROWS; row++)
				table[row * COLUMNS + column] /= sqrt(squares);
		}
	}
	for (int i = 0; i < ROWS * COLUMNS; i += 101)
		sum += table[i];
	printf("%.9f\n", sum);
	free(table);
	return 0;
}
