/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: small blocks of the heap, one for each thread, that one thread has allocated one after
 * the other. malloc() puts them into one line.
 */
#include <omp.h>
#include <stdlib.h>

enum { STEPS = 48000000, THREADS = 64 };
#ifdef FIXED
enum { SIZE = 256 };
#else
enum { SIZE = sizeof(unsigned) };
#endif

static volatile unsigned *states[THREADS];

static void next(volatile unsigned *state)
{
	*state = *state * 1664525U + 1013904223U; /* sharing: false state */
}

int main(void)
{
	int even = 0;

	for (int thread = 0; thread < THREADS; thread++) {
		states[thread] = malloc(SIZE);
		*states[thread] = (unsigned)thread;
	}
#pragma omp parallel reduction(+ : even)
	{
		const int me = omp_get_thread_num();
		volatile int draws = STEPS;

		while (draws-- > 0) {
			/* Blocks of 32 bytes: every second pair of neighbours shares a line. */
			volatile unsigned *mine = states[(me + 3 * (draws & 3)) % THREADS];

			next(mine);
			even += *mine >> 16 & 1; /* sharing: false mine */
		}
	}
	return even == 0;
}
