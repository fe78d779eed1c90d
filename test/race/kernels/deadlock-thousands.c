/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: among thousands of locks, each with its right neighbour, two are taken in the other
 * order. More locks and pairs than are remembered at once come before and after these.
 */
#include <omp.h>
#include <stdlib.h>

enum { COUNT = 3000 };

static omp_lock_t first, second;
static long value;

static void both(omp_lock_t *left, omp_lock_t *right)
{
	omp_set_lock(left);
	omp_set_lock(right);
#pragma omp atomic
	value++;
	omp_unset_lock(right);
	omp_unset_lock(left);
}

int main(void)
{
	omp_lock_t *locks = malloc(COUNT * sizeof *locks);

	omp_init_lock(&first);
	omp_init_lock(&second);
	for (int i = 0; i < COUNT; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(2)
	{
		for (int i = 0; i + 1 < COUNT; i++)
			both(&locks[i], &locks[i + 1]);
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&first);  /* deadlock: lock first */
			omp_set_lock(&second); /* deadlock: lock second */
			omp_unset_lock(&second);
			omp_unset_lock(&first);
		} else {
#ifdef FIXED
			omp_set_lock(&first);
			omp_set_lock(&second);
#else
			omp_set_lock(&second); /* deadlock: lock second */
			omp_set_lock(&first);  /* deadlock: lock first */
#endif
			omp_unset_lock(&first);
			omp_unset_lock(&second);
		}
#pragma omp barrier
		for (int i = 0; i + 1 < COUNT; i++)
			both(&locks[i], &locks[i + 1]);
	}
	for (int i = 0; i < COUNT; i++)
		omp_destroy_lock(&locks[i]);
	free(locks);
	return 0;
}
