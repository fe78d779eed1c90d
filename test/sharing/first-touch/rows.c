/* SPDX-License-Identifier: BSD-3-Clause */
/* array of rows: one thread allocates and fills rows of less than a page, a loop divides them. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 512, COLUMNS = 200 };

int main(void)
{
	double **rows = malloc(ROWS * sizeof *rows), sum = 0;

	for (int i = 0; i < ROWS; i++)
		rows[i] = malloc(COLUMNS * sizeof **rows);
#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			rows[i][j] = i + j; /* touched: rows */
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
		for (int i = 0; i < ROWS; i++)
			for (int j = 0; j < COLUMNS; j++)
				sum += rows[i][j]; /* sharing: first rows */
	}
	printf("%g\n", sum);
	for (int i = 0; i < ROWS; i++)
		free(rows[i]);
	free(rows);
	return 0;
}
