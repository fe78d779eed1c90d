/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths to kernel() through tasks, as in teams.c.
 *
 * path: main > go > parallel at {go} > one > first > make > task at {make} > kernel
 * path: main > go > parallel at {go} > one > second > make > task at {make} > kernel
 * path: main > go > parallel at {go} > one > nest > task at {nest} > deep > task at {in} > kernel
 */
#include <stdio.h>

#define ALONE __attribute__((noinline))

static volatile int turns = 20000;

static ALONE double kernel(double x)
{
	for (int i = 0; i < turns; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}

static ALONE void make(double *sum)
{
#pragma omp task // {make}
	if (kernel(1) > 2)
		sum[0] = 1;
	sum[1]++;
}

static ALONE void first(double *sum)
{
	make(sum);
	sum[1]++;
}

static ALONE void second(double *sum)
{
	make(sum);
	sum[1] += 2;
}

static ALONE void deep(double *sum)
{
#pragma omp task // {in}
	if (kernel(2) > 3)
		sum[0] = 1;
#pragma omp taskwait
	sum[2] = sum[1] - 1;
}

static ALONE void nest(double *sum)
{
#pragma omp task // {nest}
	deep(sum);
	sum[1]++;
}

static ALONE void one(double *sum)
{
#pragma omp single
	for (int i = 0; i < 500; i++) {
		first(sum);
		second(sum);
		nest(sum);
	}
}

static ALONE void go(double *sum)
{
#pragma omp parallel // {go}
	one(sum);
	sum[1]++;
}

int main(void)
{
	double sum[3] = {0};

	for (int i = 0; i < 24; i++)
		go(sum);
	printf("%d\n", sum[1] > 0);
	return 0;
}
