/* SPDX-License-Identifier: BSD-3-Clause */
/* Two loops that favour one thread each, in turns: whoever worked less waits at each barrier. */
#include "program.h"

enum { STEPS = 300, COUNT = 64, TURNS = 6000 };

#ifdef NOWAIT
#define CLAUSES nowait
#else
#define CLAUSES
#endif

int main(void)
{
#pragma omp parallel
	for (int step = 0; step < STEPS; step++) {
		int favoured = step % 2;
#pragma omp for schedule(SCHEDULE) CLAUSES // @even
		for (int i = 0; i < COUNT; i++)
			compute((spread(i, COUNT) < COUNT / 2) == favoured ? TURNS : TURNS * 3);
#pragma omp for schedule(static) // @odd
		for (int i = 0; i < COUNT; i++)
			compute((i < COUNT / 2) == favoured ? TURNS * 2 / FASTER : TURNS / FASTER);
	}
	return 0;
}
