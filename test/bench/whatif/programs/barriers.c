/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that compute for as long as chance has it between explicit barriers. */
#include "program.h"

#include <omp.h>

enum { STEPS = 3000, TURNS = 100000 };

int main(void)
{
#pragma omp parallel // @parallel
	{
		unsigned self = (unsigned)omp_get_thread_num(),
			 threads = (unsigned)omp_get_num_threads();
		for (unsigned step = 0; step < STEPS; step++) {
			unsigned turns = IS_EVEN ? TURNS : mixed(step * threads + self, 2 * TURNS);
			compute((int)(turns / threads) / FASTER);
#ifndef NOWAIT
#pragma omp barrier // @barrier
#endif
		}
	}
	return 0;
}
