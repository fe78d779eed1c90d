/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: the largest value that each thread has seen, in an array of the function that forks.
 */
#include <omp.h>

enum { LENGTH = 1 << 16, ROUNDS = 2000, THREADS = 16 };
#ifdef FIXED
enum { STRIDE = 16 };
#else
enum { STRIDE = 1 };
#endif

static int values[LENGTH];

int main(void)
{
	_Alignas(64) long seen[THREADS * STRIDE] = {0};
	long all = 0;

	for (int i = 0; i < LENGTH; i++)
		values[i] = i * 31 % LENGTH;
#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
		int me = omp_get_thread_num() % THREADS * STRIDE;

#pragma omp for nowait
		for (int i = 0; i < LENGTH; i++) {
			if (values[i] & 3)
				seen[me] += values[i] & 1; /* sharing: false seen */
		}
	}
	for (int i = 0; i < THREADS; i++)
		all += seen[i * STRIDE];
	return all != (long)LENGTH / 2 * ROUNDS;
}
