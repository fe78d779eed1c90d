/* SPDX-License-Identifier: BSD-3-Clause */
/* Three sections of different length, in each of many steps. */
#include "program.h"

enum { STEPS = 110, UNIT = 1000000 };

static int length(int number)
{
	static const int uneven[] = {3, 1, 1};

	return IS_EVEN ? UNIT / 2 * 5 / 2 : UNIT / 2 * uneven[number];
}

int main(void)
{
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel sections // @sections
		{
#pragma omp section
			compute(length(0) / FASTER);
#pragma omp section
			compute(length(1) / FASTER);
#pragma omp section
			compute(IS_EVEN ? 0 : length(2) / FASTER);
		}
	}
	return 0;
}
