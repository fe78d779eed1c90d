/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: heap memory that four iterations share.
 * The fixed one is allocated by each thread for itself: its iterations use it one after the other.
 */
#include <stdlib.h>

enum { N = 960, SHARE = 4 };

static double result[N];

int main(void)
{
	double *blocks[N / SHARE];
	int wrong = 0;

	for (int i = 0; i < N / SHARE; i++)
		blocks[i] = malloc(2 * sizeof *blocks[i]);
#pragma omp parallel
	{
		double *own = malloc(2 * sizeof *own);
#pragma omp for
		for (int i = 0; i < N; i++) {
#ifdef FIXED
			double *memory = own;
#else
			double *memory = blocks[i / SHARE];
#endif
			memory[0] = i;                     /* race: write memory */
			memory[1] = 2 * memory[0];         /* race: write memory */
			result[i] = memory[0] + memory[1]; /* race: read memory */
		}
		free(own);
	}
	for (int i = 0; i < N / SHARE; i++)
		free(blocks[i]);
	for (int i = 0; i < N; i++)
		wrong += result[i] != 3.0 * i;
	return wrong != 0;
}
