/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks: each waits for the one before it that has its block, so that a block changes its thread
 * once a task. No line has parts of two blocks. */
#include <stdio.h>

enum { BLOCKS = 4, ELEMENTS = 64, ROUNDS = 20, SWEEPS = 500 };

static _Alignas(64) volatile double blocks[BLOCKS][ELEMENTS];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < BLOCKS; i++) {
#pragma omp task depend(inout : blocks[i])
			for (int sweep = 0; sweep < SWEEPS; sweep++)
				for (int j = 0; j < ELEMENTS; j++)
					blocks[i][j] = blocks[i][j] + 0.5;
		}
	printf("%g\n", blocks[1][3]);
	return 0;
}
