/* SPDX-License-Identifier: BSD-3-Clause */
/* static: each thread counts in its element of a static array, whose elements are neighbours. */
#include <omp.h>
#include <stdio.h>

enum { STEPS = 2000000 };

#ifdef FIXED
static struct {
	_Alignas(64) long count;
} counters[8];
#else
static struct {
	long count;
} counters[8];
#endif

int main(int argc, char **argv)
{
	long sum = 0;

	(void)argv;
#pragma omp parallel num_threads(2)
	{
		int thread = omp_get_thread_num();
		for (long i = 0; i < STEPS; i++)
			if (((i ^ argc) & 3) != 0)
				counters[thread].count++; /* sharing: false counters */
	}
	for (int i = 0; i < 8; i++)
		sum += counters[i].count;
	printf("%ld\n", sum);
	return sum <= 0;
}
