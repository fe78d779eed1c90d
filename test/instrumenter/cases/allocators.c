/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int x = 0, first = 4, last = 0, sum = 0, a[16];

#pragma omp parallel for private(x) firstprivate(first) lastprivate(last) reduction(+:sum) \
    allocate(omp_default_mem_alloc: x, first) allocate(last, sum)
	for (int i = 0; i < 16; i++) {
		x = i + first;
		a[i] = x;
		sum += x;
		last = i;
	}
#pragma omp parallel for simd firstprivate(first) reduction(+:sum) \
    allocate(omp_default_mem_alloc: sum, first)
	for (int i = 0; i < 16; i++)
		sum += a[i] + first;
	printf("%d %d %d\n", sum, last, a[15]);
	return 0;
}
