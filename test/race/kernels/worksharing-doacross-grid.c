/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a doacross loop over two dimensions names one of its two neighbours only.
 * (i, j - 1) is not ordered before (i, j) by a sink at (i - 1, j) (OpenMP 5.2, 15.10.1). The
 * fixed one names both.
 */
enum { N = 10 };

static int grid[N][N];

int main(void)
{
	for (int i = 0; i < N; i++)
		grid[i][0] = grid[0][i] = 1;
#pragma omp parallel for ordered(2) collapse(2) schedule(static, 1)
	for (int i = 1; i < N; i++)
		for (int j = 1; j < N; j++) {
#ifdef FIXED
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#else
#pragma omp ordered depend(sink : i - 1, j)
#endif
			int left = grid[i][j - 1];                   /* race: read grid */
			grid[i][j] = (left + grid[i - 1][j]) % 1009; /* race: write grid */
#pragma omp ordered depend(source)
		}
	return grid[1][N - 1] != N || grid[2][2] != 6;
}
