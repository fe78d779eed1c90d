/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tasks count in the slot of the thread that generated them.
 * Tasks of one generator are executed by several threads (OpenMP 5.2, 12.9). In the fixed one each
 * task uses the slot of the thread that executes it: a tied task without scheduling points keeps
 * that thread for itself.
 */
#include <omp.h>

static int slots[64];

int main(void)
{
	int total = 0;

#pragma omp parallel
	{
		int generator = omp_get_thread_num();

		for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(generator)
			{
#ifdef FIXED
				generator = omp_get_thread_num();
#endif
				slots[generator] += 1; /* race: write slots */
			}
		}
#pragma omp barrier
#pragma omp atomic
		total += 20;
	}
	for (int i = 0; i < 64; i++)
		total -= slots[i];
	return total != 0;
}
