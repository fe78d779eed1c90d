/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: each thread allocates its own accumulator, but on the initial thread's request, one after
 * the other, by a function that hands out memory of one block.
 */
#include <omp.h>
#include <stdlib.h>

enum { STEPS = 40000000, THREADS = 16 };

struct accumulator {
	double sum;
	long count;
};

static char *arena;
static size_t used;

static void *take(size_t size)
{
	void *place = arena + used;

#ifdef FIXED
	size = (size + 127) / 128 * 128;
#endif
	used += size;
	return place;
}

static void add(volatile struct accumulator *to, double value)
{
	to->sum += value; /* sharing: false to */
	to->count++;      /* sharing: false to */
}

int main(void)
{
	struct accumulator *all[THREADS];
	long count = 0;

	arena = aligned_alloc(128, 8192);
	for (int i = 0; i < THREADS; i++) {
		all[i] = take(sizeof *all[i]);
		*all[i] = (struct accumulator){0, 0};
	}
#pragma omp parallel num_threads(2)
	for (int i = 0; i < STEPS; i++)
		add(all[omp_get_thread_num()], 1);
	for (int i = 0; i < THREADS; i++)
		count += all[i]->count;
	free(arena);
	return count != 2L * STEPS;
}
