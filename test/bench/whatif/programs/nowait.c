/* SPDX-License-Identifier: BSD-3-Clause */
/* Two loops in turn: where the first has more to do, the second has less. */
#include "program.h"

enum { STEPS = 80, COUNT = 1000, TURNS = 4 };

#ifdef NOWAIT
#define FIRST_CLAUSES nowait
#else
#define FIRST_CLAUSES
#endif

int main(void)
{
#pragma omp parallel
	for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(SCHEDULE) FIRST_CLAUSES // @first
		for (int i = 0; i < COUNT; i++)
			compute(TURNS * spread(i, COUNT));
#pragma omp for schedule(static) // @second
		for (int i = 0; i < COUNT; i++)
			compute(TURNS * (COUNT - i));
	}
	return 0;
}
