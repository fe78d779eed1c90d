/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting into bins that all share: each item is computed, and counted in a critical section. */
#include "program.h"

enum { ITEMS = 120000, BINS = 64, TURNS = 1500 };

static long bins[BINS];

static void count(unsigned item)
{
	bins[mixed(item, BINS)]++;
	compute(800 / FASTER);
}

static void count_alone(long *own, unsigned item)
{
	own[mixed(item, BINS)]++;
	compute(800);
}

int main(void)
{
#pragma omp parallel
	{
		long own[BINS] = {0};
#pragma omp for schedule(SCHEDULE) // @loop
		for (int i = 0; i < ITEMS; i++) {
			compute(TURNS);
#ifdef PRIVATE
			count_alone(own, (unsigned)i);
#else
#pragma omp critical(bins) // @critical
			count((unsigned)i);
#endif
		}
#ifdef PRIVATE
		for (int bin = 0; bin < BINS; bin++)
#pragma omp atomic
			bins[bin] += own[bin];
#else
		(void)own;
		(void)count_alone;
#endif
	}
	printf("%ld\n", bins[0]);
	return 0;
}
