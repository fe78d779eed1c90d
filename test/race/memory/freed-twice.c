/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: each thread of a team frees the same memory.
 */
#include <stdlib.h>

int main(void)
{
	int *values = calloc(100, sizeof *values);

#pragma omp parallel num_threads(2)
	{
#ifdef FIXED
#pragma omp single
#else
#pragma omp critical
#endif
		free(values); /* memory: freed */
	}
	return 0;
}
