/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi's iteration in one parallel region: sweep and copy, a barrier behind each. A source of
 * heat makes the first rows more expensive. */
#include "program.h"

enum { SIDE = 640, STEPS = 90, SOURCE = 160 };

static double now[SIDE][SIDE], next[SIDE][SIDE];

#ifdef NOWAIT
#define COPY_CLAUSES nowait
#else
#define COPY_CLAUSES
#endif

static void sweep(int row)
{
	for (int j = 1; j < SIDE - 1; j++)
		next[row][j] =
		    0.25 * (now[row - 1][j] + now[row + 1][j] + now[row][j - 1] + now[row][j + 1]);
	compute((row < SOURCE ? 6000 : 2000) / FASTER);
}

int main(void)
{
	now[SIDE / 2][SIDE / 2] = 1000;
#pragma omp parallel
	for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(SCHEDULE) // @sweep
		for (int i = 1; i < SIDE - 1; i++)
			sweep(1 + spread(i - 1, SIDE - 2));
#pragma omp for schedule(static) COPY_CLAUSES // @copy
		for (int i = 1; i < SIDE - 1; i++) {
			for (int j = 1; j < SIDE - 1; j++)
				now[i][j] = next[i][j];
			compute(i < SIDE / 2 ? 200 : 2200);
		}
	}
	printf("%g\n", now[1][1]);
	return 0;
}
