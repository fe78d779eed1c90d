/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: one barrier in a loop that needs two.
 * The barrier is between writing and reading; behind the reading, the next round's write follows at
 * once (OpenMP 5.2, 15.3.1). The fixed one has a second barrier.
 */
#include <omp.h>

int main(void)
{
	int wrong = 0;
	int round_number = 0;

#pragma omp parallel reduction(+ : wrong)
	for (int round = 0; round < 15; round++) {
		if (omp_get_thread_num() == 0)
			round_number = round; /* race: write round_number */
#pragma omp barrier
		wrong += round_number != round; /* race: read round_number */
#ifdef FIXED
#pragma omp barrier
#endif
	}
	return wrong != 0;
}
