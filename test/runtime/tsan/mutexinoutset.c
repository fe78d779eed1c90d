/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexinoutset: the members of a set exclude each other and see each other's writes. */
#include "plant.h"

#ifdef PLANT_RACE
#define MEMBER _Pragma("omp task")
#else
#define MEMBER _Pragma("omp task depend(mutexinoutset : value)")
#endif

int main(void)
{
	int value = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int i = 0; i < 40; i++) {
		MEMBER
		{
			if (i < 2)
				wait_if_planted(&here, 2);
			value++;
		}
	}
	CHECK_RESULT(value, 40);
	return check_result();
}
