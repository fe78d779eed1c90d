/* SPDX-License-Identifier: BSD-3-Clause */
/* Single: its implied barrier orders the block before what the others do next. */
#include "plant.h"

#ifdef PLANT_RACE
#define SINGLE _Pragma("omp single nowait")
#else
#define SINGLE _Pragma("omp single")
#endif

int main(void)
{
	int plain = 0;

#pragma omp parallel num_threads(THREADS)
	for (int round = 1; round <= 30; round++) {
		SINGLE
		plain = round;
		CHECK_RESULT(plain, round);
		SYNCHRONISE("omp barrier")
	}
	return check_result();
}
