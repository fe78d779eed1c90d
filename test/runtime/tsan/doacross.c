/* SPDX-License-Identifier: BSD-3-Clause */
/* Doacross: an iteration sees what the iteration wrote that it names as its sink. */
#include "plant.h"

static int cells[60] = {1};
static int grid[8][8];

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 1; i < 60; i++) {
			SYNCHRONISE("omp ordered depend(sink : i - 1)")
			cells[i] = cells[i - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(2) schedule(dynamic)
		for (int i = 1; i < 8; i++)
			for (int j = 1; j < 8; j++) {
				SYNCHRONISE(
				    "omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)")
				grid[i][j] = grid[i - 1][j] + grid[i][j - 1] + 1;
#pragma omp ordered depend(source)
			}
	}
	CHECK_RESULT(cells[59], 60);
	CHECK_RESULT(grid[2][2], 5);
	return check_result();
}
