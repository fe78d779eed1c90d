/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a diagonal dependence over two collapsed loops.
 * Element (i, j) reads (i - 1, j + 1), which belongs to another iteration of the collapsed space
 * (OpenMP 5.2, 4.4.3). The fixed one has a parallel loop within each row only, and its barrier.
 */
enum { N = 40 };

static int grid[N][N];

int main(void)
{
	int wrong = 0;

	for (int j = 0; j < N; j++)
		grid[0][j] = j;
#ifdef FIXED
#pragma omp parallel
	for (int i = 1; i < N; i++) {
#pragma omp for
		for (int j = 0; j < N - 1; j++)
			grid[i][j] = grid[i - 1][j + 1];
	}
#else
#pragma omp parallel for collapse(2)
	for (int i = 1; i < N; i++)
		for (int j = 0; j < N - 1; j++)
			grid[i][j] = grid[i - 1][j + 1]; /* race: write, read grid */
#endif
	for (int i = 1; i < N; i++)
		for (int j = 0; j < N - i; j++)
			wrong += grid[i][j] != i + j;
	return wrong != 0;
}
