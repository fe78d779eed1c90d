/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths to kernel() through teams. check-paths.py reads the lines with "path:"; "{name}" there is
 * the line that ends with that comment.
 *
 * path: main > first > solve > parallel at {solve} > kernel
 * path: main > second > solve > parallel at {solve} > kernel
 * path: main > outer > parallel at {outer} > between > inner > parallel at {inner} > kernel
 * path: main > descend > parallel at {descend} > parallel at {descend} > kernel
 * path: main > descend > parallel at {descend} > kernel
 */
#include <stdio.h>

#define ALONE __attribute__((noinline))

static volatile int turns = 200000;

static ALONE double kernel(double x)
{
	for (int i = 0; i < turns; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}

static ALONE void solve(double *sum)
{
#pragma omp parallel // {solve}
	if (kernel(1) > 2)
		sum[0] = 1;
	sum[1]++;
}

static ALONE void first(double *sum)
{
	solve(sum);
	sum[1]++;
}

static ALONE void second(double *sum)
{
	solve(sum);
	sum[1] += 2;
}

static ALONE void inner(double *sum)
{
#pragma omp parallel // {inner}
	if (kernel(2) > 3)
		sum[0] = 1;
	sum[1]++;
}

static ALONE void between(double *sum)
{
	double own[2];

	inner(own);
	if (own[0] < 0)
		sum[0] = 1;
}

static ALONE void outer(double *sum)
{
#pragma omp parallel // {outer}
	between(sum);
	sum[1]++;
}

static ALONE void descend(double *sum, int levels)
{
#pragma omp parallel // {descend}
	{
		if (kernel(3) > 4)
			sum[0] = 1;
		if (levels > 1)
			descend(sum, levels - 1);
	}
	sum[1]++;
}

int main(void)
{
	double sum[2] = {0};

	for (int i = 0; i < 480; i++) {
		first(sum);
		second(sum);
		outer(sum);
		descend(sum, 2);
	}
	printf("%d\n", sum[1] > 0);
	return 0;
}
