/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int a[32];

static void work(void)
{
#pragma omp for
	for (int i = 0; i < 32; i++)
		a[i]++;
#pragma omp single
	a[0]++;
#pragma omp barrier
#pragma omp sections
	{
		a[1]++;
	}
#pragma omp master
	a[2]++;
}

int main(void)
{
	work();
#pragma omp parallel
	work();
	printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
	return 0;
}
