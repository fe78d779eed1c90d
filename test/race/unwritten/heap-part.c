/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a loop leaves out elements of an array from the heap that are read afterwards.
 */
#include <stdlib.h>

int main(void)
{
	int *values = malloc(10 * sizeof *values), sum = 0;

#ifdef FIXED
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 10; i++)
		values[i] = i;
#else
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 9; i++)
		values[i] = i;
#endif
	for (int i = 0; i < 10; i++)
		if (values[i] > 3) /* memory: read */
			sum++;
	free(values);
	return sum == 100;
}
