/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskgroup: what the group's tasks and their descendants wrote is seen after it. */
#include "plant.h"

static int values[20];

int main(void)
{
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 1; round <= 10; round++) {
		SYNCHRONISE("omp taskgroup")
		for (int i = 0; i < 20; i++) {
#pragma omp task
			{
#pragma omp task
				{
					if (round == 1 && i == 0)
						wait_if_planted(&here, 2);
					values[i] = round;
				}
			}
		}
		if (round == 1)
			wait_if_planted(&here, 2);
		for (int i = 0; i < 20; i++)
			CHECK_RESULT(values[i], round);
		SYNCHRONISE("omp taskwait")
	}
	return check_result();
}
