/* SPDX-License-Identifier: BSD-3-Clause */
/* A triangular loop: row i has i entries, so that the second half is three times the first. */
#include "program.h"

enum { ROWS = 3000, STEPS = 10, TURNS = 6 };

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(SCHEDULE) // @loop
		for (int i = 0; i < ROWS; i++)
			compute(TURNS * spread(i, ROWS) / FASTER);
	}
	return 0;
}
