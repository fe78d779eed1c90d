/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: two loops are collapsed, and each row begins with what the row before it ends with.
 * The lanes of a collapsed loop execute iterations of several rows at once (OpenMP 5.2, 4.4.3 and
 * 10.4). The fixed loop reads only what was there before.
 */
enum { ROWS = 12, COLUMNS = 9 };

static int grid[ROWS][COLUMNS], first[ROWS];

int main(void)
{
	int wrong = 0;

	for (int row = 0; row < ROWS; row++)
		first[row] = row;
#pragma omp simd collapse(2)
	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < COLUMNS; i++) {
#ifdef FIXED
			grid[row][i] = first[row] + i;
#else
			int left = row + i;

			if (i == 0 && row > 0)
				left = grid[row - 1][COLUMNS - 1] - 7; /* race: read grid */
			grid[row][i] = left;                           /* race: write grid */
#endif
		}
	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < COLUMNS; i++)
			wrong += grid[row][i] != row + i;
	return wrong != 0;
}
