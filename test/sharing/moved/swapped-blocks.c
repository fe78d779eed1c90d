/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks: each thread creates and executes a task, for the block of the other thread in every second
 * step. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1 << 15, STEPS = 12 };

static double *blocks[2];

int main(void)
{
	for (int i = 0; i < 2; i++)
		blocks[i] = calloc(BLOCK, sizeof *blocks[i]);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(2)
		{
#ifdef FIXED
			double *block = blocks[omp_get_thread_num()];
#else
			double *block = blocks[(omp_get_thread_num() + step) % 2];
#endif
#pragma omp task if (0)
			for (int i = 0; i < BLOCK; i++)
				block[i] += 0.5 * i; /* sharing: moved block */
		}
	}
	printf("%g\n", blocks[0][BLOCK - 1]);
	return 0;
}
