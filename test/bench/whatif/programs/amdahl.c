/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial part between parallel loops, which is a region of the user's own. */
#include "program.h"

#include <pomp.h>

enum { STEPS = 70, COUNT = 2000, TURNS = 1500 };

static OMPRegDescr serial = {
    (char *)"region", (char *)"serial", 0, (char *)"amdahl.c", 12, 12, 12, 12, {0}, NULL};

int main(void)
{
	pomp_register_regions(&serial);
	for (int step = 0; step < STEPS; step++) {
		pomp_begin(&serial);
		compute(900000 / FASTER);
		pomp_end(&serial);
#ifdef LOOP_HALF
#define LOOP_FASTER 2
#else
#define LOOP_FASTER 1
#endif
#pragma omp parallel for schedule(SCHEDULE) // @loop
		for (int i = 0; i < COUNT; i++)
			compute(TURNS / LOOP_FASTER);
	}
	return 0;
}
