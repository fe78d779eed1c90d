/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunk: threads take columns of a matrix that lies in rows. The elements of a row's neighbouring
 * columns share lines.
 */
enum { ROWS = 512, COLUMNS = 8, STEPS = 12000 };

#ifdef FIXED
static _Alignas(64) int sums[COLUMNS][ROWS]; /* no two columns in one line */
#define AT(row, column) sums[column][row]
#else
static int sums[ROWS][COLUMNS];
#define AT(row, column) sums[row][column]
#endif

int main(void)
{
	long all = 0;

#pragma omp parallel for schedule(static, 1)
	for (int column = 0; column < COLUMNS; column++) {
		for (int step = 0; step < STEPS; step++) {
			for (int row = 0; row < ROWS; row++)
				AT(row, column) += step & 1; /* sharing: false sums */
		}
	}
	for (int column = 0; column < COLUMNS; column++) {
		for (int row = 0; row < ROWS; row++)
			all += AT(row, column);
	}
	return all != (long)ROWS * COLUMNS * STEPS / 2;
}
