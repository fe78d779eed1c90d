/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: one thread frees memory that others still read.
 * What follows a loop with nowait is not ordered behind the iterations of other threads (OpenMP
 * 5.2, 15.6). The fixed loop keeps its barrier.
 */
#include <stdlib.h>

int main(void)
{
	int *values = malloc(500 * sizeof *values);
	long sum = 0;

	if (values == NULL)
		return 2;
	for (int i = 0; i < 500; i++)
		values[i] = i;
#pragma omp parallel
	{
		long own = 0;

#ifdef FIXED
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = 0; i < 500; i++)
			own += values[i]; /* race: read values */
#pragma omp single nowait
		free(values); /* race: write values */
#pragma omp atomic
		sum += own;
	}
	return sum != 124750;
}
