/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: threads add rows to an array by lanes, each thread to its own copy of the array.
 * In the racy one the lanes also count in one element of the copy (OpenMP 5.2, 5.5.8 and 10.4),
 * which the thread's reduction does not cover. In the fixed one each lane has its own element.
 */
enum { ROWS = 60, COLUMNS = 16 };

static int table[ROWS][COLUMNS];

int main(void)
{
	int sums[COLUMNS + 1] = {0}, wrong = 0;

	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < COLUMNS; i++)
			table[row][i] = i;
#pragma omp parallel for reduction(+ : sums [0:COLUMNS + 1])
	for (int row = 0; row < ROWS; row++) {
#pragma omp simd
		for (int i = 0; i < COLUMNS; i++) {
			sums[i] += table[row][i];
#ifndef FIXED
			sums[COLUMNS] += 1; /* race: write sums; race: read sums */
#endif
		}
#ifdef FIXED
		sums[COLUMNS] += COLUMNS;
#endif
	}
	for (int i = 0; i < COLUMNS; i++)
		wrong += sums[i] != ROWS * i;
	return wrong != 0 || sums[COLUMNS] != ROWS * COLUMNS;
}
