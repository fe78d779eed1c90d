/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int a[20] = {1};
	unsigned long long order = 0;

#pragma omp parallel
	{
#pragma omp for ordered(1)
		for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink: i - 1)
			a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered schedule(dynamic)
		for (int i = 1; i < 9; i++) {
#pragma omp ordered threads
			{ order = order * 10 + i; }
		}
	}
	printf("%d %llu\n", a[19], order);
	return 0;
}
