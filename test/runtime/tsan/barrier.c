/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier: each member reads what its neighbour wrote before the barrier. */
#include "plant.h"

static int values[THREADS];

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		int me = omp_get_thread_num();

		for (int round = 1; round <= 50; round++) {
			values[me] = round;
			SYNCHRONISE("omp barrier")
			CHECK_RESULT(values[(me + 1) % THREADS], round);
			SYNCHRONISE("omp barrier")
		}
	}
	return check_result();
}
