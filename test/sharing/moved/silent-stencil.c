/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: a stencil of blocks of rows: rows at the borders are another thread's, and few. */
#include <stdio.h>

enum { N = 256, STEPS = 24 };

static double grids[2][N][N];

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
		double(*from)[N] = grids[step % 2], (*to)[N] = grids[(step + 1) % 2];

#pragma omp parallel for num_threads(2)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				to[i][j] = 1 + 0.25 * (from[i - 1][j] + from[i + 1][j] +
							  from[i][j - 1] + from[i][j + 1]);
	}
	printf("%g\n", grids[0][N / 2][N / 2]);
	return 0;
}
