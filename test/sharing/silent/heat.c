/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: a stencil over blocks of rows: only the rows at the borders are read by two threads, in
 * different steps. */
enum { N = 512, STEPS = 30 };

static double grids[2][N][N];

int main(void)
{
	for (int i = 0; i < N; i++)
		grids[0][i][0] = grids[1][i][0] = 1;
	for (int step = 0; step < STEPS; step++) {
		double(*from)[N] = grids[step % 2], (*to)[N] = grids[(step + 1) % 2];

#pragma omp parallel for
		for (int i = 1; i < N - 1; i++) {
			for (int j = 1; j < N - 1; j++)
				to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] +
						      from[i][j - 1] + from[i][j + 1]);
		}
	}
	return grids[0][N / 2][1] <= 0;
}
