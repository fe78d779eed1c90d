/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested teams: fork and join of inner teams order them with their masters, hot or new. */
#include "plant.h"

static int values[2][THREADS];

int main(void)
{
	int here = 0;

	omp_set_max_active_levels(2);
	for (int round = 1; round <= 10; round++) {
#pragma omp parallel num_threads(2)
		{
			int outer = omp_get_thread_num();
			int mine = round;

#pragma omp parallel num_threads(THREADS)
			values[outer][omp_get_thread_num()] = mine;
			for (int i = 0; i < THREADS; i++)
				CHECK_RESULT(values[outer][i], round);
			if (round == 1)
				wait_if_planted(&here, 2);
			if (PLANTED)
				values[0][0]++; /* by both masters */
		}
	}
	return check_result();
}
