/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: each thread adds to a list under a lock, and one reads the list's head without it.
 * If the reader has had the lock last, its own section orders all accesses; else not (OpenMP 5.2,
 * 18.9). The fixed one reads under the lock.
 */
#include <omp.h>

int main(void)
{
	omp_lock_t lock;
	int sum = 0;
	int seen = 0;

	omp_init_lock(&lock);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		sum += 1; /* race: write sum */
#ifdef FIXED
		if (omp_get_thread_num() == 0)
			seen = sum;
#endif
		omp_unset_lock(&lock);
#ifndef FIXED
		if (omp_get_thread_num() == 0)
			seen = sum; /* race: read sum */
#endif
	}
	omp_destroy_lock(&lock);
	return seen < 1 || seen > sum;
}
