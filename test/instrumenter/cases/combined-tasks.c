/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

enum { N = 40 };

int main(void)
{
	int a[N] = {0}, sum = 0, first = 2, last = 0;

#pragma omp parallel master taskloop lastprivate(last) grainsize(5)
	for (int i = 0; i < N; i++) {
		a[i] = i * first;
		last = i;
	}
	printf("%d %d\n", a[N - 1], last);
#pragma omp parallel masked taskloop simd reduction(+:sum) default(none) shared(a)
	for (int i = 0; i < N; i++)
		sum += a[i];
	printf("%d\n", sum);
#pragma omp parallel masked
	printf("masked\n");
#pragma omp parallel master
	{
		printf("master\n");
	}
#pragma omp parallel
#pragma omp masked taskloop num_tasks(3) if(taskloop: first > 1) filter(0)
	for (int i = 0; i < N; i++)
		a[i]++;
#pragma omp parallel
#pragma omp master taskloop simd collapse(2) nogroup
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++)
			a[i * 10 + j]++;
#pragma omp parallel master taskloop if(sum > 0) private(last)
	for (int i = 0; i < N; i++) {
		last = a[i];
		a[i] = last + 1;
	}
	printf("%d %d %d\n", a[0], a[N - 1], sum);
	return 0;
}
