/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: two arrays change their parts in each step, without a barrier between steps.
 * A thread that is ahead overwrites what its neighbours still read (OpenMP 5.2, 15.3.1). The fixed
 * one has a barrier at the end of each step.
 */
#include <omp.h>

enum { STEPS = 12 };

static int values[2][64];

int main(void)
{
#pragma omp parallel
	{
		int self = omp_get_thread_num();
		int left = (self + omp_get_num_threads() - 1) % omp_get_num_threads();

		for (int step = 0; step < STEPS; step++) {
			int *from = values[step % 2], *to = values[(step + 1) % 2];
			to[self] = from[left] + 1; /* race: write values */ /* race: read values */
#ifdef FIXED
#pragma omp barrier
#endif
		}
	}
	return values[STEPS % 2][0] != STEPS;
}
