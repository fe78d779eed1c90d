/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskloops whose grain may change when the program runs, and those whose grain stays. */
#include <stdio.h>

enum { COUNT = 24 };

#define GRAIN grainsize(2)

static int a[COUNT];

static void change(int n)
{
#pragma omp taskloop grainsize(4)
	for (int i = 0; i < COUNT; i++)
		a[i] += i;
#pragma omp taskloop nogroup num_tasks ( n > 2 ? (n + 1) / 2 : 1 ) shared(a)
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
#pragma omp taskwait
#pragma omp parallel master taskloop simd grainsize(n)
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
}

static void keep(void)
{
#pragma omp taskloop
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
#pragma omp taskloop grainsize(strict : 3)
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
}

int main(void)
{
	int sum = 0;

#pragma omp parallel default(none) shared(a)
#pragma omp single
	change(5);
#pragma omp taskloop GRAIN
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
	keep();
	for (int i = 0; i < COUNT; i++)
		sum += a[i];
	printf("%d\n", sum);
	return 0;
}
