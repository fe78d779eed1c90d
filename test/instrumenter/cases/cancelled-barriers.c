/* SPDX-License-Identifier: BSD-3-Clause */
/* A cancelled parallel: threads that wait at a loop's, sections' or single's own barrier leave it at once. */
#include <omp.h>
#include <stdio.h>

static int behind[6];

static void note(int place)
{
#pragma omp atomic
	behind[place]++;
}

int main(void)
{
	int a[64] = {0};

#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
#pragma omp taskgroup
		{
#pragma omp for
			for (int i = 0; i < 64; i++)
#pragma omp task shared(a) firstprivate(i)
				a[i] = i;
			note(0);
		}
		note(1);
	}
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
#pragma omp scope
		{
#pragma omp taskgroup
			{
#pragma omp sections
				{
#pragma omp section
					a[0] = 1;
				}
				note(2);
			}
#pragma omp single
			a[1] = 1;
			note(3);
		}
		note(4);
	}
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
#pragma omp for
		for (int i = 0; i < 64; i++)
			a[i] = i;
		note(5);
	}
	for (int i = 0; i < 6; i++)
		printf("%d\n", behind[i]);
	return 0;
}
