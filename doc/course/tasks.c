/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 2: adds up the numbers of an array by a tree of tasks. */
#include <stdio.h>

enum { COUNT = 1 << 18 };

static double values[COUNT];

static double sum(int first, int count)
{
	double left, right;

	if (count == 1)
		return values[first];
#pragma omp task shared(left)
	left = sum(first, count / 2);
	right = sum(first + count / 2, count - count / 2);
#pragma omp taskwait
	return left + right;
}

int main(void)
{
	double total = 0;

	for (int i = 0; i < COUNT; i++)
		values[i] = i % 7;
#pragma omp parallel
#pragma omp single
	total = sum(0, COUNT);
	printf("%.0f\n", total);
	return 0;
}
