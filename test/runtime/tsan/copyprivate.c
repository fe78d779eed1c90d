/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyprivate: what its value points at is there for all; a later write to it is not ordered. */
#include "plant.h"

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 1; round <= 20; round++) {
		int *block = NULL;

#pragma omp single copyprivate(block)
		{
			block = malloc(sizeof(*block));
			*block = round;
		}
		if (PLANTED && omp_get_thread_num() == 0)
			*block = -1;
		CHECK_RESULT(*block, round);
#pragma omp barrier
#pragma omp master
		free(block);
	}
	return check_result();
}
