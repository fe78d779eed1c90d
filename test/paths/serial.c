/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program without OpenMP, or whose only construct is its last statement: a quarter of its time is
 * in read_input().
 */
#include <stdio.h>

#define ALONE __attribute__((noinline))

static volatile int turns = 25000000;

static ALONE double work(double x, int times)
{
	for (int i = 0; i < turns * times; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}

static ALONE double read_input(void)
{
	double x = work(1, 3);

	return x + 1;
}

int main(void)
{
	double x = read_input();

	x += work(x, 9);
#pragma omp parallel num_threads(1)
	printf("%d\n", x > 0);
	return 0;
}
