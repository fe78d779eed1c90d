/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks: an array of omp locks, one for each thread, is dense; each thread takes only its own.
 */
#include <omp.h>

enum { STEPS = 3000000, THREADS = 64 };

static struct {
#ifdef FIXED
	_Alignas(64)
#endif
	    omp_lock_t lock;
} locks[THREADS];

int main(void)
{
	long all = 0;

	for (int i = 0; i < THREADS; i++)
		omp_init_lock(&locks[i].lock);
#pragma omp parallel reduction(+ : all)
	{
		omp_lock_t *mine = &locks[omp_get_thread_num()].lock;

		for (int i = 0; i < STEPS; i++) {
			omp_set_lock(mine); /* sharing: false locks */
			all++;
			omp_unset_lock(mine); /* sharing: false locks */
		}
	}
	return all == 0;
}
