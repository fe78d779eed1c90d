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

static int count(int n, int depth)
{
	int left = 0, right = 0;

	if (n < 2)
		return n;
#pragma omp task shared(left) if (task : n > 20) mergeable
	left = count(n - 1, depth + 1);
#pragma omp task final(depth >= 8 ) shared(right) if (n > 2)
	right = count(n - 2, depth + 1);
#pragma omp taskwait
	return left + right;
}

static void keep(void)
{
	int n = 3, limit = 2;

#pragma omp task if (0)
	a[0] += 0;
#pragma omp task final(n > limit) if (n >> 2)
	a[0] += 0;
#pragma omp task if (n > 0x10) final(n - 1)
	a[0] += 0;
#pragma omp taskwait
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
#pragma omp parallel
#pragma omp single
	a[1] += count(12, 0);
	for (int i = 0; i < COUNT; i++)
		sum += a[i];
	printf("%d\n", sum);
	return 0;
}
