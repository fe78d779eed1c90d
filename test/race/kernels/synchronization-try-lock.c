/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a thread that does not get the lock writes all the same.
 * omp_test_lock returns false without having set the lock (OpenMP 5.2, 18.9.6). The fixed one
 * keeps the value of its own until it gets the lock.
 */
#include <omp.h>

int main(void)
{
	omp_lock_t lock;
	long sum = 0;

	omp_init_lock(&lock);
#pragma omp parallel
	{
		long kept = 0;

#pragma omp for nowait
		for (int i = 0; i < 2000; i++) {
			kept += i;
#ifdef FIXED
			if (omp_test_lock(&lock)) {
				sum += kept;
				kept = 0;
				omp_unset_lock(&lock);
			}
#else
			int is_mine = omp_test_lock(&lock);
			sum += kept; /* race: write sum */
			kept = 0;
			if (is_mine)
				omp_unset_lock(&lock);
#endif
		}
		omp_set_lock(&lock);
		sum += kept;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return sum != 1999000;
}
