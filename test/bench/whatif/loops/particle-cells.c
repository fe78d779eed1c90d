/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles in cells, most of them in two clusters: each cell compares all of its pairs. */
#include "chance.h"

#include <stdio.h>

enum { CELLS = 1024, PARTICLES = 120000, STEPS = 10, MOST = 4000 };

static float at[CELLS][MOST];
static int counts[CELLS];

static void put(uint64_t *state, int centre, int spread)
{
	int cell = centre;

	for (int i = 0; i < 4; i++)
		cell += (int)(chance_next(state) % (unsigned)(2 * spread + 1)) - spread;
	cell = (cell + CELLS) % CELLS;
	if (counts[cell] < MOST)
		at[cell][counts[cell]++] = (float)chance_real(state);
}

int main(void)
{
	uint64_t state = 8;
	long near = 0;

	for (int i = 0; i < PARTICLES; i++)
		put(&state,
		    i % 3 == 0   ? 200
		    : i % 3 == 1 ? 640
				 : (int)(chance_next(&state) % CELLS),
		    i % 3 == 0 ? 8 : 12);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(guided) reduction(+ : near) // @loop
		for (int cell = 0; cell < CELLS; cell++)
			for (int i = 0; i < counts[cell]; i++)
				for (int j = 0; j < i; j++) {
					float apart = at[cell][i] - at[cell][j];
					near += apart * apart < 1e-4f * (float)(step + 1);
				}
	}
	printf("%ld\n", near);
	return 0;
}
