/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a square grid, two loops as one: only those within a disc have work. */
#include <math.h>
#include <stdio.h>

enum { SIZE = 160, STEPS = 12 };

static double cells[SIZE][SIZE];

static double settle(double value, int turns)
{
	for (int turn = 0; turn < turns; turn++)
		value = sqrt(value * 0.9 + 0.3);
	return value;
}

int main(void)
{
	double sum = 0;

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for collapse(2) // @loop
		for (int i = 0; i < SIZE; i++)
			for (int j = 0; j < SIZE; j++) {
				int x = i - SIZE / 3, y = j - SIZE / 2;
				if (x * x + y * y < SIZE * SIZE / 16)
					cells[i][j] = settle(cells[i][j] + i + j, 1200);
			}
	}
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			sum += cells[i][j];
	printf("%.9f\n", sum);
	return 0;
}
