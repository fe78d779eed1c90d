/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams in teams in teams, orphaned work-sharing that binds to whatever team calls it, if(0). */
#include <omp.h>
#include <stdio.h>

static long orphaned(int n)
{
	static long sum;

#pragma omp single
	sum = 0;
#pragma omp for reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

int main(void)
{
	long total = 0, inner_sum = 0;
	int levels_right = 1;

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) reduction(+ : total) reduction(&& : levels_right)
	{
		int outer = omp_get_thread_num();

#pragma omp parallel num_threads(3) reduction(+ : total) firstprivate(outer)
		{
#pragma omp parallel num_threads(2) if (outer == 0) reduction(+ : total)
#pragma omp for
			for (int i = 0; i < 10; i++)
				total += i;
		}
		levels_right = levels_right && omp_get_level() == 1;
	}
#pragma omp parallel
	{
		long mine = orphaned(1000);

#pragma omp master
		inner_sum = mine;
	}
	inner_sum += orphaned(10);
	/* 2 x (threads of the second level) inner loops of 45 each */
	printf("%ld %ld %d\n", total, inner_sum, levels_right);
	return total != 2 * 3 * 45;
}
