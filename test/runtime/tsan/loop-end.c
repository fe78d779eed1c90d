/* SPDX-License-Identifier: BSD-3-Clause */
/* The implied barrier of a worksharing loop orders it before what follows; nowait leaves it out. */
#include "plant.h"

static int values[60];

#ifdef PLANT_RACE
#define LOOP _Pragma("omp for schedule(dynamic) nowait")
#else
#define LOOP _Pragma("omp for schedule(dynamic)")
#endif

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 1; round <= 20; round++) {
		LOOP for (int i = 0; i < 60; i++) values[i] = round;
		for (int i = 0; i < 60; i++)
			CHECK_RESULT(values[i], round);
		SYNCHRONISE("omp barrier")
	}
	return check_result();
}
