/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections: the barrier at their end orders both blocks before what follows. */
#include "plant.h"

#ifdef PLANT_RACE
#define SECTIONS _Pragma("omp sections nowait")
#else
#define SECTIONS _Pragma("omp sections")
#endif

int main(void)
{
	int left = 0;
	int right = 0;

#pragma omp parallel num_threads(THREADS)
	for (int round = 1; round <= 30; round++) {
		SECTIONS
		{
			left = round;
#pragma omp section
			right = round;
		}
		CHECK_RESULT(left + right, 2 * round);
		SYNCHRONISE("omp barrier")
	}
	return check_result();
}
