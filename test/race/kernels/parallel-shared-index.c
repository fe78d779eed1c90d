/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: the thread number is kept in a variable of the enclosing scope.
 * It is shared, so that a thread can find the number of another one in it and write into that
 * one's slot. The fixed one lists it in a private clause (OpenMP 5.2, 5.4.3).
 */
#include <omp.h>

static long slots[64];

int main(void)
{
	int self = 0;
	long total = 0;

#ifdef FIXED
#pragma omp parallel num_threads(8) private(self)
#else
#pragma omp parallel num_threads(8)
#endif
	{
		self = omp_get_thread_num(); /* race: write self */
#pragma omp for
		for (int i = 0; i < 800; i++)
			slots[self] += i; /* race: read self */ /* race: write slots */
	}
	for (int i = 0; i < 64; i++)
		total += slots[i];
	return total != 319600;
}
