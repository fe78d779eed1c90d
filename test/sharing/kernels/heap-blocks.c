/* SPDX-License-Identifier: BSD-3-Clause */
/* heap: small blocks of which each is one thread's, allocated one after the other. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 20000, THREADS = 2, GENERATORS = 64 };

struct generator {
	unsigned long state, drawn;
};

static struct generator *make(void)
{
#ifdef FIXED
	return aligned_alloc(64, 64);
#else
	return malloc(sizeof(struct generator));
#endif
}

static void draw(struct generator *generator)
{
	generator->state =
	    generator->state * 6364136223846793005UL + 1; /* sharing: false generator */
	generator->drawn += generator->state >> 63;       /* sharing: false generator */
}

int main(void)
{
	struct generator *generators[GENERATORS];
	unsigned long sum = 0;

	for (int i = 0; i < GENERATORS; i++) {
		generators[i] = make();
		*generators[i] = (struct generator){(unsigned)i + 1, 0};
	}
#pragma omp parallel num_threads(THREADS)
	for (long i = 0; i < STEPS; i++)
		for (int j = omp_get_thread_num(); j < GENERATORS; j += THREADS)
			draw(generators[j]);
	for (int i = 0; i < GENERATORS; i++) {
		sum += generators[i]->drawn;
		free(generators[i]);
	}
	printf("%lu\n", sum);
	return 0;
}
