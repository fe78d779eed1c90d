/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int sum = 0, members = 0;

#pragma omp parallel
	{
#pragma omp atomic
		members++;
	}
	/* one unbraced statement, and nothing else on the way */
#pragma omp parallel reduction(+:sum)
	sum += 1;
	printf("%d\n", sum == members && members == omp_get_max_threads());
	return 0;
}
