/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic: all threads add to one counter at each iteration. */
#include <stdio.h>

enum { STEPS = 500000 };

static long total;

int main(void)
{
#ifdef FIXED
#pragma omp parallel for num_threads(2) reduction(+ : total)
	for (long i = 0; i < STEPS; i++)
		total += i % 3;
#else
#pragma omp parallel for num_threads(2)
	for (long i = 0; i < STEPS; i++) {
#pragma omp atomic
		total += i % 3; /* sharing: true total */
	}
#endif
	printf("%ld\n", total);
	return 0;
}
