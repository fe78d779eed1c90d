/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids of a multigrid hierarchy are relaxed one by one; the first is by far the largest. */
#include <stdio.h>
#include <stdlib.h>

enum { GRIDS = 24, FINE = 300000, COARSE = 30000, SWEEPS = 130 };

static double relax(int points)
{
	double *grid = malloc(sizeof *grid * (size_t)points);
	double sum = 0;

	for (int i = 0; i < points; i++)
		grid[i] = i % 17;
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (int i = 1; i < points - 1; i++)
			grid[i] = 0.5 * grid[i] + 0.25 * (grid[i - 1] + grid[i + 1]);
	for (int i = 0; i < points; i++)
		sum += grid[i];
	free(grid);
	return sum;
}

int main(void)
{
	double sums[GRIDS], total = 0;

#pragma omp parallel for // @loop
	for (int grid = 0; grid < GRIDS; grid++)
		sums[grid] = relax(grid == 0 ? FINE : COARSE);
	for (int grid = 0; grid < GRIDS; grid++)
		total += sums[grid];
	printf("%.6f\n", total);
	return 0;
}
