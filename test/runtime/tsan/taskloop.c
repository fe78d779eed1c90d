/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskloop: its implied group orders all of its iterations before what follows, reductions too. */
#include "plant.h"

static int values[50];

#ifdef PLANT_RACE
#define TASKLOOP _Pragma("omp taskloop nogroup num_tasks(6)")
#else
#define TASKLOOP _Pragma("omp taskloop num_tasks(6) reduction(+ : sum)")
#endif

int main(void)
{
	long sum = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 1; round <= 10; round++) {
		TASKLOOP
		for (int i = 0; i < 50; i++) {
			if (round == 1 && i == 0)
				wait_if_planted(&here, 2);
			values[i] = round;
			sum += i;
		}
		if (round == 1)
			wait_if_planted(&here, 2);
		for (int i = 0; i < 50; i++)
			CHECK_RESULT(values[i], round);
		CHECK_RESULT(sum, 1225L * round);
	}
	return check_result();
}
