/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of combined directives whose default clause would make them something else outside. */
#include <stdio.h>

enum { N = 64, DEPTH = 2 };
static int a[N];

static int sum(void)
{
	int total = 0;

	for (int k = 0; k < N; k++)
		total += a[k] * k;
	return total;
}

/* Loop variables that are declared before: simd gives them their last value. */
static void loop_variables(void)
{
	int i = -1, j = -1, k = -1;

#pragma omp parallel for simd default(none) shared(a)
	for (i = 0; i < N; i++)
		a[i] += i;
	printf("%d %d\n", i, sum());
	i = -1;
#pragma omp parallel for simd default(firstprivate) shared(a)
	for (i = 0; i < N; i++)
		a[i] += i;
	printf("%d %d\n", i, sum());
	i = -1;
#pragma omp parallel for simd default(private) shared(a) collapse(2)
	for (i = 0; i < 8; i++)
		for (j = 0; j < 8; j++)
			a[8 * i + j] += j;
	printf("%d %d %d\n", i, j, sum());
	i = j = -1;
#pragma omp parallel for simd default(none) shared(a) collapse(DEPTH) lastprivate(i)
	for (i = 0; i < 8; i++)
		for (j = 0; j < 8; j++)
			a[8 * i + j] += j;
	printf("%d %d %d\n", i, j, sum());
#pragma omp parallel for default(private) shared(a, i) private(k)
	for (int n = 0; n < 8; n++)
		for (k = 0; k < 8; k++)
			a[8 * n + k] += i;
	printf("%d %d\n", k, sum());
}

static void moved(void)
{
	int last = 0;

#pragma omp parallel for simd default(none) shared(a) firstprivate(last) lastprivate(last)
	for (int i = 0; i < N; i++)
		last = a[i];
	printf("%d\n", last);
}

int main(void)
{
	loop_variables();
	moved();
	return 0;
}
