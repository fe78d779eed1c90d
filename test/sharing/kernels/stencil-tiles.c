/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunk: cells of a small grid are dealt cell by cell, and updated in many steps without a barrier
 * between them.
 */
enum { CELLS = 256, STEPS = 96000 };
#ifdef FIXED
enum { CHUNK = 64 };
#else
enum { CHUNK = 1 };
#endif

static _Alignas(64) float cells[CELLS];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(static, CHUNK) nowait
		for (int cell = 0; cell < CELLS; cell++) {
			float value = cells[cell]; /* sharing: false cells */

			if (value < STEPS + cell)
				cells[cell] = value + 1; /* sharing: false cells */
		}
	}
	for (int cell = 0; cell < CELLS; cell++)
		wrong += cells[cell] != (float)STEPS;
	return wrong != 0;
}
