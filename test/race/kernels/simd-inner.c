/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: within a loop that threads share, each row is summed up from its left by lanes.
 * Rows belong to threads, but the lanes of one thread execute the elements of a row at once
 * (OpenMP 5.2, 10.4). The fixed loops add up columns.
 */
enum { ROWS = 40, COLUMNS = 33 };

static int table[ROWS + 1][COLUMNS];

int main(void)
{
	int wrong = 0;

#ifdef FIXED
	for (int row = 1; row <= ROWS; row++) {
#else
#pragma omp parallel for schedule(static)
	for (int row = 1; row <= ROWS; row++) {
		table[row][0] = 1;
#endif
#pragma omp simd
		for (int i = 1; i < COLUMNS; i++)
#ifdef FIXED
			table[row][i] = table[row - 1][i] + 1;
#else
			table[row][i] =
			    table[row][i - 1] + 1; /* race: write table; race: read table */
#endif
	}
#ifdef FIXED
	wrong += table[ROWS][1] != ROWS || table[ROWS][COLUMNS - 1] != ROWS;
#else
	wrong += table[ROWS][COLUMNS - 1] != COLUMNS;
#endif
	return wrong;
}
