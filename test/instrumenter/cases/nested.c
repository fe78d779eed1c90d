/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int count = 0, iterations = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp atomic
			count++;
#pragma omp for
			for (int i = 0; i < 3; i++)
#pragma omp critical
			{
				iterations++;
			}
		}
#pragma omp single
		{
#pragma omp parallel for num_threads(2)
			for (int i = 0; i < 3; i++) {
#pragma omp atomic
				count++;
			}
		}
	}
	printf("%d %d\n", count, iterations);
	return 0;
}
