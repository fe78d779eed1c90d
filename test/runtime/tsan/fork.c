/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork: what the master wrote before the region, its members read; also with a team that is hot. */
#include "plant.h"

static int values[100];

int main(void)
{
	for (int round = 1; round <= 20; round++) {
		int here = 0;

		for (int i = 0; i < 100; i++)
			values[i] = round * i;
#pragma omp parallel num_threads(THREADS)
		{
			wait_if_planted(&here, THREADS);
			if (PLANTED && omp_get_thread_num() == 0)
				values[99] = 0; /* written after the fork */
			CHECK_RESULT(values[99], round * 99);
		}
	}
	return check_result();
}
