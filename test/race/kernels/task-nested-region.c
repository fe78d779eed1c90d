/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task contains a parallel region, whose team uses the same array as the task beside it.
 * The team of the inner region runs while the sibling task does (OpenMP 5.2, 10.1 and 12.5). The
 * fixed tasks depend on the array.
 */
#include <omp.h>

#ifdef FIXED
#define ON_ARRAY depend(inout : array)
#else
#define ON_ARRAY shared(array)
#endif

int main(void)
{
	int array[64] = {0};
	int sum = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task ON_ARRAY
		{
#pragma omp parallel for num_threads(2)
			for (int i = 0; i < 64; i++)
				array[i] += i; /* race: write array */
		}
#pragma omp task ON_ARRAY
		for (int i = 0; i < 64; i++)
			array[i] *= 2; /* race: write array */
	}
	for (int i = 0; i < 64; i++)
		sum += array[i];
	return sum != 4032;
}
