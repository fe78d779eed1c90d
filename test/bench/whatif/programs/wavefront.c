/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic programming by tiles: each task waits for its neighbours above and to the left. */
#include "program.h"

#ifndef TILE
#define TILE 32
#endif
enum { SIDE = 1280, TILES = SIDE / TILE };

static double table[SIDE + 1][SIDE + 1];

static void fill(int i, int j)
{
	for (int row = 1 + i * TILE; row <= (i + 1) * TILE; row++) {
		for (int column = 1 + j * TILE; column <= (j + 1) * TILE; column++) {
			double above = table[row - 1][column], left = table[row][column - 1];
			double best = above > left ? above : left;
			table[row][column] = best * 0.5 + table[row - 1][column - 1] * 0.5 + 1;
		}
		compute(TILE * 100 / FASTER);
	}
}

int main(void)
{
	static char done[TILES + 1][TILES + 1] = {{0}};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TILES; i++)
		for (int j = 0; j < TILES; j++) {
#pragma omp task depend(in                                                                         \
			: done[i][j + 1], done[i + 1][j]) depend(out                               \
								 : done[i + 1][j + 1]) // @tile
			fill(i, j);
		}
	printf("%g %d\n", table[SIDE][SIDE], done[0][0]);
	return 0;
}
