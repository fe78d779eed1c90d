/* SPDX-License-Identifier: BSD-3-Clause */
/* Join: what the members wrote in the region, the master reads after it. */
#include "plant.h"

static int values[THREADS];

int main(void)
{
	for (int round = 1; round <= 20; round++) {
		int here = 0;

#pragma omp parallel num_threads(THREADS)
		{
			wait_if_planted(&here, THREADS);
			values[omp_get_thread_num()] = round;
			if (PLANTED && omp_get_thread_num() == 0)
				values[1]++; /* read before the join */
		}
		for (int i = 0; i < THREADS; i++)
			CHECK_RESULT(values[i], round);
	}
	return check_result();
}
