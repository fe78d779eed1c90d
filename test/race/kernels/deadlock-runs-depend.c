/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: the first and the last of some tasks, each of which does something only if a certain
 * thread has got an iteration before, take two locks in opposite orders. No run of the plan has
 * both. In the fixed program dependences order the tasks.
 */
#include <omp.h>

static omp_lock_t red, blue;
static int mixed;

static void mix(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);  /* deadlock: lock red */
	omp_set_lock(second); /* deadlock: lock blue */
	mixed++;
	omp_unset_lock(second);
	omp_unset_lock(first);
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&blue);
	int early = 0;
	int late = 0;
	int chain = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 64; i++) {
			if (i == 2 && omp_get_thread_num() == 0)
				early = 1;
			if (i == 1 && omp_get_thread_num() == 1)
				late = 1;
		}
#pragma omp single
		for (int i = 0; i < 4; i++) {
#ifdef FIXED
#pragma omp task depend(inout : chain)
#else
#pragma omp task
#endif
			{
				if (i == 0 && early)
					mix(&red, &blue);
				if (i == 3 && late)
					mix(&blue, &red);
			}
		}
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return chain;
}
