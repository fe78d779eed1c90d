/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose schedule may change when the program runs, and those whose schedule stays. */
#include <stdio.h>

enum { COUNT = 24, HALF = COUNT / 2 };

static int a[COUNT], b[COUNT];

static void change(void)
{
#pragma omp parallel for
	for (int i = 0; i < COUNT; i++)
		a[i] = i;
#pragma omp parallel for schedule(static, 4) default(none) shared(a)
	for (int i = 0; i < COUNT; i++)
		a[i] += 1;
#pragma omp parallel
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < COUNT; i++)
			a[i] += 1;
#pragma omp barrier
#pragma omp for schedule ( guided , 2 ) collapse(2)
		for (int i = 0; i < 2; i++)
			for (int k = 0; k < HALF; k++)
				a[i * HALF + k] += 1;
#pragma omp for schedule(nonmonotonic: dynamic, 3)
		for (int i = 0; i < COUNT; i++)
			a[i] += 1;
	}
}

static int keep(void)
{
	int sum = 0, last = 0;

#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < COUNT; i++)
			b[i] = a[i];
#pragma omp for
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for schedule(monotonic: dynamic)
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < COUNT; i++) {
#pragma omp ordered
			last = i;
		}
#pragma omp for simd
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for schedule(runtime)
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for schedule(auto)
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
#pragma omp for schedule(dynamic, HALF)
		for (int i = 0; i < COUNT; i++)
			b[i] += 1;
	}
#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < COUNT; i++) {
		sum += b[i];
#pragma omp scan inclusive(sum)
		a[i] = sum;
	}
	return last;
}

static void change_with_calls(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < COUNT; i++)
		if (a[i] < 0)
			printf("negative\n");
}

int main(void)
{
	int last;

	change();
	last = keep();
	change_with_calls();
	for (int i = 0; i < COUNT; i++)
		printf("%d %d\n", a[i], b[i]);
	printf("%d\n", last);
	return 0;
}
