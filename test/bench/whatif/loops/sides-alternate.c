/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps over a matrix forwards and backwards: in even steps the upper triangle, then the lower. */
#include <stdio.h>

enum { SIZE = 700, STEPS = 2400 };

static float matrix[SIZE][SIZE];

int main(void)
{
	double sum = 0;

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for // @loop
		for (int i = 0; i < SIZE; i++) {
			int from = step % 2 ? 0 : i, to = step % 2 ? i : SIZE;
			for (int j = from; j < to; j++)
				matrix[i][j] = 0.75f * matrix[i][j] + (float)(i ^ j) * 0.001f;
		}
	}
	for (int i = 0; i < SIZE; i++)
		sum += matrix[i][(i * 7) % SIZE];
	printf("%.5f\n", sum);
	return 0;
}
