/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * static: each thread counts in its own element of an array. The elements of all threads lie in one
 * cache line, which moves to the other thread's processor at nearly every count.
 */
#include <omp.h>

enum { LENGTH = 1 << 16, ROUNDS = 3200, THREADS = 64 };

#ifdef FIXED
static struct {
	_Alignas(64) long count;
} positive[THREADS];
#define COUNT(thread) positive[thread].count
#else
static long positive[THREADS];
#define COUNT(thread) positive[thread]
#endif
static int values[LENGTH];

int main(void)
{
	long all = 0;

	for (int i = 0; i < LENGTH; i++)
		values[i] = i % 3 - 1;
#pragma omp parallel
	{
		int me = omp_get_thread_num();

		for (int round = 0; round < ROUNDS; round++) {
#pragma omp for nowait
			for (int i = 0; i < LENGTH; i++) {
				if (values[i] > 0)
					COUNT(me)++; /* sharing: false positive */
			}
		}
	}
	for (int thread = 0; thread < THREADS; thread++)
		all += COUNT(thread);
	return all != (long)ROUNDS * (LENGTH / 3);
}
