/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: one line in turns: in each step one thread writes all elements, and a barrier separates
 * the steps. */
#include <omp.h>

enum { LENGTH = 8, STEPS = 200, WRITES = 20000 };

static volatile int shared_line[LENGTH];

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
		if (step % 2 == omp_get_thread_num()) {
			for (int i = 0; i < WRITES; i++)
				shared_line[i % LENGTH] += 1;
		}
#pragma omp barrier
	}
	return shared_line[0] != STEPS * WRITES / LENGTH;
}
