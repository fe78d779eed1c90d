/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

enum { N = 100 };

int main(void)
{
	int a[N], last = -1, sum = 0;
	double x = 0;

#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			a[i] = i;
#pragma omp for nowait schedule(dynamic, 7)
		for (int i = 0; i < N; i++)
			a[i] += 1;
#pragma omp barrier
#pragma omp for reduction(+:sum) lastprivate(last)
		for (int i = 0; i < N; i++) {
			sum += a[i];
			last = i;
		}
#pragma omp single
		printf("%d %d\n", sum, last);
#pragma omp for collapse(2) reduction(+:x)
		for (int i = 0; i < 10; i++)
			for (int j = 0; j < 10; j++)
				x += i * j;
	}
	printf("%g\n", x);
	return 0;
}
