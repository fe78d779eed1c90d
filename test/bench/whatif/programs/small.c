/* SPDX-License-Identifier: BSD-3-Clause */
/* Many parallel regions of some microseconds each. */
#include "program.h"

enum { REGIONS = 20000, ITERATIONS = 16, TURNS = 600 };

int main(void)
{
	for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel for schedule(SCHEDULE) // @loop
		for (int i = 0; i < ITERATIONS; i++)
			compute(TURNS / FASTER);
	}
	return 0;
}
