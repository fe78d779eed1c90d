/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct: statistics of the threads, a pair of counters each, in an array. Four threads share a
 * line.
 */
#include <omp.h>

enum { KEYS = 1 << 15, ROUNDS = 2400, THREADS = 64 };

static struct statistics {
#ifdef FIXED
	_Alignas(64)
#endif
	    long hits;
	long misses;
} statistics[THREADS];
static unsigned keys[KEYS];

static void look_up(unsigned key, struct statistics *mine)
{
	if (key & 1)
		mine->hits++; /* sharing: false statistics */
	else
		mine->misses++; /* sharing: false statistics */
}

int main(void)
{
	long looked_up = 0;

	for (unsigned i = 0; i < KEYS; i++)
		keys[i] = i * 2654435761U >> 7;
#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp for nowait
		for (int i = 0; i < KEYS; i++)
			look_up(keys[i], &statistics[omp_get_thread_num()]);
	}
	for (int thread = 0; thread < THREADS; thread++)
		looked_up += statistics[thread].hits + statistics[thread].misses;
	return looked_up != (long)KEYS * ROUNDS;
}
