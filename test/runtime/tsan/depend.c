/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences: writer to readers to writer, in chains and fans. */
#include "plant.h"

#ifdef PLANT_RACE
#define WRITER _Pragma("omp task")
#define READER _Pragma("omp task")
#else
#define WRITER _Pragma("omp task depend(out : value)")
#define READER _Pragma("omp task depend(in : value)")
#endif

int main(void)
{
	int value = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 1; round <= 20; round++) {
		WRITER
		{
			if (round == 1)
				wait_if_planted(&here, 2);
			value = round;
		}
		for (int i = 0; i < 3; i++) {
			READER
			{
				if (round == 1 && i == 0)
					wait_if_planted(&here, 2);
				CHECK_RESULT(value, round);
			}
		}
	}
	CHECK_RESULT(value, 20);
	return check_result();
}
