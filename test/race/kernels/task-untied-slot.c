/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: an untied task uses the slot of a thread that may no longer be its own.
 * Behind a scheduling point any thread of the team may go on with an untied task (OpenMP 5.2, 12.1
 * and 12.9), while the first one counts in its slot for another task. The fixed task is tied.
 */
#include <omp.h>

#ifdef FIXED
#define KIND
#else
#define KIND untied
#endif

static int slots[64];

int main(void)
{
	int total = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task KIND
		{
			int slot = omp_get_thread_num();

#pragma omp taskyield
			slots[slot] += 1; /* race: write slots */
		}
	}
	for (int i = 0; i < 64; i++)
		total += slots[i];
	return total != 50;
}
