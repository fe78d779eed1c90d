/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: each thread of a ring sets its own lock and then its neighbour's.
 * If each has the first one, all wait for ever. The fixed one sets the lock with the lower index
 * first.
 */
#include <omp.h>

enum { MOST = 64 };

static omp_lock_t forks[MOST];
static int meals[MOST];

int main(void)
{
	for (int i = 0; i < MOST; i++)
		omp_init_lock(&forks[i]);
#pragma omp parallel
	{
		int first = omp_get_thread_num();
		int second = (first + 1) % omp_get_num_threads();

#ifdef FIXED
		if (first > second) {
			first = second;
			second = omp_get_thread_num();
		}
#endif
		omp_set_lock(&forks[first]);  /* deadlock: lock forks[] */
		omp_set_lock(&forks[second]); /* deadlock: lock forks[] */
		meals[first]++;
		omp_unset_lock(&forks[second]);
		omp_unset_lock(&forks[first]);
	}
	for (int i = 0; i < MOST; i++)
		omp_destroy_lock(&forks[i]);
	return 0;
}
