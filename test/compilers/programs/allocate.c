/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 5
 *
 * The allocate directive (OpenMP 5.2, 6.6) for local variables, which gcc 14 takes first, and for
 * those of static storage, gcc 15: a construct that is put into braces must not part the variable
 * from its directive.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int table[16];
#pragma omp allocate(table) allocator(omp_default_mem_alloc) align(64)

static int fill(int base)
{
	int scratch[8], count = 8;
#pragma omp allocate(scratch) allocator(omp_default_mem_alloc) align(128)
#pragma omp allocate(count)

#pragma omp parallel for num_threads(2) shared(scratch)
	for (int i = 0; i < count; i++)
		scratch[i] = base + i;
	return (uintptr_t)scratch % 128 == 0 ? scratch[count - 1] : -1;
}

int main(void)
{
	int sum = 0, last = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum) allocate(omp_default_mem_alloc : sum)
	{
		int mine = omp_get_thread_num();
#pragma omp allocate(mine) align(32)

#pragma omp single
		table[0] = 1;
#pragma omp critical
		{
			int inner;
#pragma omp allocate(inner) allocator(omp_low_lat_mem_alloc)
			inner = mine;
			sum += inner + table[0];
		}
#pragma omp for lastprivate(last) allocate(allocator(omp_default_mem_alloc) : last)
		for (int i = 1; i < 16; i++)
			table[i] = last = i;
	}
	for (int i = 0; i < 16; i++)
		sum += table[i];
	printf("%d %d %d %d\n", fill(5), sum, last, (uintptr_t)table % 64 == 0);
	return 0;
}
