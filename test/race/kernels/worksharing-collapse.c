/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: collapse(2) over rows and columns, with a sum for each row.
 * The iterations of both loops are one iteration space that is divided (OpenMP 5.2, 4.4.3): two
 * threads can have parts of one row. The fixed one divides the rows only.
 */
enum { ROWS = 7, COLUMNS = 45 };

static int matrix[ROWS][COLUMNS], sums[ROWS];

int main(void)
{
	int wrong = 0;

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			matrix[row][column] = row;
#ifdef FIXED
#pragma omp parallel for
#else
#pragma omp parallel for collapse(2)
#endif
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			sums[row] += matrix[row][column]; /* race: write sums */

	for (int row = 0; row < ROWS; row++)
		wrong += sums[row] != row * COLUMNS;
	return wrong != 0;
}
