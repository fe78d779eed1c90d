/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: tasks with opposite orders, which threads make that get certain iterations.
 * No run of the plan has both. In the fixed program the second task is made after a barrier, by
 * which the first one has been executed.
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
#pragma omp for nowait
		for (int i = 0; i < 64; i++)
			if (i == 2 && omp_get_thread_num() == 0) {
#pragma omp task
				mix(&red, &blue);
			}
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp for
		for (int i = 0; i < 64; i++)
			if (i == 1 && omp_get_thread_num() == 1) {
#pragma omp task
				mix(&blue, &red);
			}
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
