/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int found = 0, ran = 0;

#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
			if (i == 10) {
#pragma omp atomic write
				found = 1;
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
			}
#pragma omp section
			{
#pragma omp cancellation point sections
			}
		}
	}
#pragma omp parallel for
	for (int i = 0; i < 100; i++) {
		if (i == 10) {
#pragma omp cancel for
		}
	}
#pragma omp parallel
	{
#pragma omp master
		ran = 1;
#pragma omp cancel parallel
		ran = 2 * omp_get_cancellation() + ran * !omp_get_cancellation();
	}
	printf("%d\n", found);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	{
		for (int i = 0; i < 4; i++)
#pragma omp task
		{
#pragma omp cancel taskgroup
		}
	}
	return ran > 100;
}
