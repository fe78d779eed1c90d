/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 6: sets up a field and lets it swing. Each step is parallel and well balanced. */
#include <math.h>
#include <stdio.h>

enum { ROWS = 1200, COLUMNS = 1200, STEPS = 6 };

static double field[2][ROWS][COLUMNS];

static void set_up(void)
{
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++)
			field[0][row][column] = exp(sin(row * 0.01) * cos(column * 0.02)) *
						pow(1.0001, row + column) * tanh(row * 0.001);
	}
}

static void swing(double (*now)[COLUMNS], double (*next)[COLUMNS])
{
#pragma omp parallel for schedule(static)
	for (int row = 1; row < ROWS - 1; row++) {
		for (int column = 1; column < COLUMNS - 1; column++)
			next[row][column] = sin(now[row - 1][column] + now[row + 1][column] +
						now[row][column - 1] + now[row][column + 1]);
	}
}

int main(void)
{
	set_up();
	for (int step = 0; step < STEPS; step++)
		swing(field[step % 2], field[(step + 1) % 2]);
	printf("%.6f\n", field[STEPS % 2][ROWS / 2][COLUMNS / 2]);
	return 0;
}
