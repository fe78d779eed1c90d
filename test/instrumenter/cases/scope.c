/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int value = 0, mine = 0;

#pragma omp parallel firstprivate(mine)
	{
#pragma omp scope reduction(+:value)
		value += 1;
#pragma omp scope private(mine) nowait
		{
			mine = 1;
#pragma omp critical
			value += mine;
		}
	}
	printf("%d\n", value == 2 * omp_get_max_threads());
	return 0;
}
