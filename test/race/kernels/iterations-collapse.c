/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: collapse(2), and one cell is also written by its left neighbour.
 * The iterations of both loops are divided as one space (OpenMP 5.2, 4.4.3), where the two are next
 * to each other. The fixed one writes another row's mark.
 */
enum { ROWS = 30, COLS = 40 };

static int grid[ROWS][COLS], mark[ROWS];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for collapse(2)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++) {
			grid[i][j] = i + j; /* race: write grid */
			if (i == 11 && j == 5)
#ifdef FIXED
				mark[i] = 1;
#else
				grid[i][j + 1] = i + j + 1; /* race: write grid */
#endif
		}
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++)
			wrong += grid[i][j] != i + j;
	return wrong != 0 || mark[0] != 0;
}
