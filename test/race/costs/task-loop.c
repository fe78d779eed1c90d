/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs for about a second: a task loop, with rows of a grid, again and again. */
enum { N = 256, STEPS = 300 };

static double grid[N][N], next[N][N];

int main(void)
{
	grid[N / 2][N / 2] = 1e6;
#pragma omp parallel
#pragma omp single
	for (int step = 0; step < STEPS; step++) {
#pragma omp taskloop num_tasks(32)
		for (int i = 1; i < N - 1; i++)
			for (int k = 1; k < N - 1; k++)
				next[i][k] = (grid[i - 1][k] + grid[i + 1][k] + grid[i][k - 1] +
						 grid[i][k + 1]) /
					     4;
#pragma omp taskloop num_tasks(32)
		for (int i = 1; i < N - 1; i++)
			for (int k = 1; k < N - 1; k++)
				grid[i][k] = next[i][k];
	}
	return grid[N / 2][N / 2] < 0;
}
