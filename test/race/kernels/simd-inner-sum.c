/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: threads sum up the rows of a table, each row by lanes into a variable of the row.
 * The variable is the iteration's own, but its lanes share it (OpenMP 5.2, 5.1.1 and 10.4). The
 * fixed loop has a reduction.
 */
enum { ROWS = 30, COLUMNS = 50 };

static int table[ROWS][COLUMNS], sums[ROWS];

int main(void)
{
	int wrong = 0;

	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < COLUMNS; i++)
			table[row][i] = row;
#pragma omp parallel for
	for (int row = 0; row < ROWS; row++) {
		int sum = 0;
#ifdef FIXED
#pragma omp simd reduction(+ : sum)
#else
#pragma omp simd
#endif
		for (int i = 0; i < COLUMNS; i++)
			sum += table[row][i]; /* race: write sum; race: read sum */
		sums[row] = sum;
	}
	for (int row = 0; row < ROWS; row++)
		wrong += sums[row] != row * COLUMNS;
	return wrong != 0;
}
