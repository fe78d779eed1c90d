/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 7
 *
 * The doacross clause (OpenMP 5.2, 15.9.7), which is depend(sink) and depend(source) anew, with the
 * iteration by its name omp_cur_iteration.
 */
#include <stdio.h>

#define ROWS    20
#define COLUMNS 30

static int grid[ROWS][COLUMNS];
static long line[200];

int main(void)
{
	long sum = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 200; i++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
			line[i] = (i > 0 ? line[i - 1] : 0) + i;
#pragma omp ordered doacross(source : omp_cur_iteration)
		}
#pragma omp for ordered(2) schedule(dynamic)
		for (int i = 0; i < ROWS; i++)
			for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered doacross(sink : i - 1, j) doacross(sink : i, j - 1)
				grid[i][j] =
				    i == 0 || j == 0 ? 1 : (grid[i - 1][j] + grid[i][j - 1]) % 1009;
#pragma omp ordered doacross(source:)
			}
	}
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1)
	for (int i = 1; i < 50; i++) {
#pragma omp ordered doacross(sink : i - 1)
		line[i] += line[i - 1];
#pragma omp ordered doacross(source:)
	}
#pragma omp parallel for ordered num_threads(2)
	for (int i = 0; i < 50; i++) {
#pragma omp ordered
		sum += line[i];
	}
	printf("%ld %d %ld\n", line[199], grid[ROWS - 1][COLUMNS - 1], sum);
	return 0;
}
