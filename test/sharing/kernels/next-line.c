/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * possible: counters that are apart by a line of 64 bytes. With lines of 128, as some processors
 * have them or fetch them, two threads share one.
 */
#include <omp.h>

/* The first elements keep other variables away from those that are used. */
enum { LENGTH = 1 << 16, ROUNDS = 1600, THREADS = 64, UNUSED = 4 };
#ifdef FIXED
enum { APART = 256 };
#else
enum { APART = 64 };
#endif

static _Alignas(256) struct {
	long count;
	char apart[APART - sizeof(long)];
} counters[UNUSED + THREADS];
static int values[LENGTH];

int main(void)
{
	long all = 0;

	for (int i = 0; i < LENGTH; i++)
		values[i] = i & 1;
#pragma omp parallel num_threads(2)
	for (int round = 0; round < ROUNDS; round++) {
		int me = omp_get_thread_num();

#pragma omp for nowait
		for (int i = 0; i < LENGTH; i++) {
			if (values[i])
				counters[UNUSED + me].count++; /* sharing: possible counters */
		}
	}
	for (int thread = 0; thread < THREADS; thread++)
		all += counters[UNUSED + thread].count;
	return all != (long)LENGTH / 2 * ROUNDS;
}
