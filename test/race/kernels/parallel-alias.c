/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: each thread has its own pointer, but all of them point to the same element.
 * firstprivate copies the pointer, not what it points to (OpenMP 5.2, 5.4.4). In the fixed one
 * each thread moves its pointer to an element of its own.
 */
#include <omp.h>

static long cells[64];

int main(void)
{
	long *cell = cells;
	long total = 0;

#pragma omp parallel firstprivate(cell) num_threads(4)
	{
#ifdef FIXED
		cell += omp_get_thread_num();
#endif
#pragma omp for
		for (int i = 0; i < 1000; i++)
			*cell += i; /* race: write *cell */
	}
	for (int i = 0; i < 64; i++)
		total += cells[i];
	return total != 499500;
}
