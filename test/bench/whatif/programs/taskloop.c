/* SPDX-License-Identifier: BSD-3-Clause */
/* A taskloop over rows whose cost varies, with small tasks. */
#include "program.h"

#ifndef GRAIN
#define GRAIN 2
#endif
enum { ROWS = 4000, STEPS = 22, TURNS = 3000 };

int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int step = 0; step < STEPS; step++) {
#pragma omp taskloop grainsize(GRAIN) // @rows
		for (int i = 0; i < ROWS; i++)
			compute((int)mixed((unsigned)i, 2 * TURNS) / FASTER);
	}
	return 0;
}
