/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a sparse matrix whose first rows have most of the entries, as in a graph with hubs.
 */
#include "program.h"

enum { ROWS = 20000, LONGEST = 900, SHORTEST = 20, PRODUCTS = 60 };

static int length_of(int row)
{
	int length = (int)((long)LONGEST * 400 / (row + 400));

	return length < SHORTEST ? SHORTEST : length;
}

int main(void)
{
	int *start = malloc((ROWS + 1) * sizeof(*start));
	double *x = malloc(ROWS * sizeof(*x)), *y = malloc(ROWS * sizeof(*y));

	start[0] = 0;
	for (int i = 0; i < ROWS; i++) {
		start[i + 1] = start[i] + length_of(i);
		x[i] = 1.0 / (i + 1);
	}
	int *column = malloc((size_t)start[ROWS] * sizeof(*column));
	for (int k = 0; k < start[ROWS]; k++)
		column[k] = (int)mixed((unsigned)k, ROWS);
	for (int product = 0; product < PRODUCTS; product++) {
#pragma omp parallel for schedule(SCHEDULE) // @loop
		for (int i = 0; i < ROWS; i++) {
			int row = spread(i, ROWS);
			double sum = 0;
			for (int turn = 0; turn < 8 / FASTER; turn++)
				for (int k = start[row]; k < start[row + 1]; k++)
					sum += x[column[k]] * 0.5;
			y[row] = sum;
		}
		double *swap = x;
		x = y;
		y = swap;
	}
	printf("%g\n", x[ROWS / 2]);
	return 0;
}
