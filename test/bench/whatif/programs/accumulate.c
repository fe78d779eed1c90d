/* SPDX-License-Identifier: BSD-3-Clause */
/* A critical section in which threads spend most of their time, many times over. */
#include "program.h"

#include <omp.h>

enum { ITEMS = 100000, TURNS = 900, INSIDE = 1400 };

int main(void)
{
	double sum = 0;

#pragma omp parallel for schedule(SCHEDULE) // @loop
	for (int i = 0; i < ITEMS; i++) {
		compute(TURNS);
#ifdef ATOMIC
		compute(INSIDE);
#pragma omp atomic
		sum += i;
#else
#pragma omp critical // @critical
		{
			compute(INSIDE / FASTER);
			sum += i;
		}
#endif
	}
	printf("%g\n", sum);
	return 0;
}
