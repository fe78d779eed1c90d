/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a matrix by a vector whose threads divide the columns, with partial results of a few
 * rows for each thread in one array.
 */
#include <omp.h>
#include <string.h>

enum { ROWS = 4, COLUMNS = 1 << 14, ROUNDS = 240, THREADS = 64 };
#ifdef FIXED
enum { ROOM = 16 };
#else
enum { ROOM = ROWS };
#endif

static float matrix[ROWS][COLUMNS], vector[COLUMNS];
static _Alignas(64) float partial[THREADS][ROOM];

static void multiply(float *result, int column)
{
	for (int row = 0; row < ROWS; row++)
		result[row] += matrix[row][column] * vector[column]; /* sharing: false partial */
}

int main(void)
{
	float all = 0;

	for (int column = 0; column < COLUMNS; column++) {
		vector[column] = 1;
		for (int row = 0; row < ROWS; row++)
			matrix[row][column] = 1;
	}
	for (int round = 0; round < ROUNDS; round++) {
		memset(partial, 0, sizeof partial);
#pragma omp parallel for
		for (int column = 0; column < COLUMNS; column++)
			multiply(partial[omp_get_thread_num()], column);
	}
	for (int thread = 0; thread < THREADS; thread++)
		all += partial[thread][0];
	return all != (float)COLUMNS;
}
