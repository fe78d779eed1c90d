/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: memory is allocated by one task, filled by another one, used and freed by a third.
 * Dependences on the pointer's variable order the three; blocks that were freed are given out again
 * to tasks that have no order with those before.
 */
#include <stdlib.h>

enum { CHAINS = 30, LENGTH = 40 };

static int *blocks[CHAINS];

static void run_chain(int chain, long *total)
{
#pragma omp task depend(out : blocks[chain]) firstprivate(chain)
	blocks[chain] = malloc(LENGTH * sizeof *blocks[chain]);
#pragma omp task depend(inout : blocks[chain]) firstprivate(chain)
	for (int i = 0; i < LENGTH && blocks[chain] != NULL; i++)
		blocks[chain][i] = chain;
#pragma omp task depend(in : blocks[chain]) firstprivate(chain, total)
	{
		long sum = 0;

		for (int i = 0; i < LENGTH && blocks[chain] != NULL; i++)
			sum += blocks[chain][i];
		free(blocks[chain]);
#pragma omp atomic
		*total += sum;
	}
}

int main(void)
{
	long total = 0;

#pragma omp parallel
#pragma omp single
	for (int chain = 0; chain < CHAINS; chain++)
		run_chain(chain, &total);
	return total != (long)LENGTH * CHAINS * (CHAINS - 1) / 2;
}
