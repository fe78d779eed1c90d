/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: one order in a loop, the opposite one in the next loop, each by a thread that gets a
 * certain iteration. Without a barrier between the loops a thread in the second one meets a thread
 * in the first one. No run of the plan has both orders. The fixed one has the barrier.
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
#pragma omp parallel
	{
#ifdef FIXED
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = 0; i < 64; i++)
			if (i == 2 && omp_get_thread_num() == 0)
				mix(&red, &blue);
#pragma omp for
		for (int i = 0; i < 64; i++)
			if (i == 1 && omp_get_thread_num() == 1)
				mix(&blue, &red);
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
