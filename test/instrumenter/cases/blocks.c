/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int count = 0, one = 0, value = 0, copies = 0, passed = 0;

#pragma omp parallel
	{
#pragma omp single
		one++;
#pragma omp single nowait
		{
			one++;
		}
#pragma omp barrier
		int mine;
#pragma omp single copyprivate(mine)
		mine = 42;
#pragma omp atomic
		copies += mine == 42;
#pragma omp master
		value = 1;
#pragma omp masked filter(0)
		{ value++; }
#pragma omp critical
		passed++;
#pragma omp critical (named)
		{
			count--; }
#pragma omp flush
#pragma omp flush(count)
		if (count == -1000)
#pragma omp critical(named)
			count++;
		else
#pragma omp critical(named) hint(0)
			count--;
	}
	printf("%d %d %d %d\n", one, copies == omp_get_max_threads(),
	    value == 2, count + passed == -omp_get_max_threads());
	return 0;
}
