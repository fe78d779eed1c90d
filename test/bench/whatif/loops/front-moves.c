/* SPDX-License-Identifier: BSD-3-Clause */
/* A reaction front moves through the cells: where it is, cells need many small steps. */
#include <stdio.h>

enum { CELLS = 400, STEPS = 120, FRONT = 60 };

static double react(double value, int steps)
{
	for (int step = 0; step < steps; step++)
		value += 1e-4 * (1 - value) * value;
	return value;
}

int main(void)
{
	double cells[CELLS], sum = 0;

	for (int i = 0; i < CELLS; i++)
		cells[i] = 0.1 + 0.001 * i;
	for (int step = 0; step < STEPS; step++) {
		int at = step * CELLS / STEPS;
#pragma omp parallel for // @loop
		for (int i = 0; i < CELLS; i++) {
			int distance = i > at ? i - at : at - i;
			cells[i] = react(cells[i], distance < FRONT ? 9000 - 140 * distance : 60);
		}
	}
	for (int i = 0; i < CELLS; i++)
		sum += cells[i];
	printf("%.9f\n", sum);
	return 0;
}
