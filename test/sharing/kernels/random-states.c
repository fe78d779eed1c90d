/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * static: a random number generator for each thread, whose states are three words in an array.
 */
#include <omp.h>

enum { DRAWS = 24000000, THREADS = 64 };

struct generator {
#ifdef FIXED
	_Alignas(64)
#endif
	    unsigned x,
	    y, z;
};

static struct generator generators[THREADS];

static unsigned draw(volatile struct generator *of)
{
	unsigned t = of->x ^ of->x << 11; /* sharing: false generators */

	of->x = of->y;                                   /* sharing: false generators */
	of->y = of->z;                                   /* sharing: false generators */
	return of->z = of->z ^ of->z >> 19 ^ t ^ t >> 8; /* sharing: false generators */
}

int main(void)
{
	long inside = 0;

	for (unsigned i = 0; i < THREADS; i++) {
		generators[i].x = 123456789 + i;
		generators[i].y = 362436069;
		generators[i].z = 521288629;
	}
#pragma omp parallel for reduction(+ : inside)
	for (int i = 0; i < DRAWS; i++)
		inside += draw(&generators[omp_get_thread_num()]) < 1U << 31;
	return inside == 0;
}
