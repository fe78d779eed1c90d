/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: Jacobi's method on a square grid, until the grid changes little.
 * Each sweep reads one array and writes the other; the barriers of the loops order sweeps, and the
 * largest change is a max reduction that one thread looks at.
 */
#include <math.h>

enum { N = 64, SWEEPS = 60 };

static double grids[2][N][N];
static double change;

static void sweep(double (*from)[N], double (*to)[N])
{
#pragma omp for schedule(static) reduction(max : change)
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++) {
			to[i][j] =
			    (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
			change = fmax(change, fabs(to[i][j] - from[i][j]));
		}
}

int main(void)
{
	double last = 0;
	int growing = 0;

	for (int i = 0; i < N; i++)
		grids[0][i][0] = grids[1][i][0] = 100;
#pragma omp parallel
	for (int step = 0; step < SWEEPS; step++) {
#pragma omp single
		{
			growing += step > 1 && change > last;
			last = change;
			change = 0;
		}
		sweep(grids[step % 2], grids[(step + 1) % 2]);
	}
	return growing != 0 || !(change > 0 && change < 1);
}
