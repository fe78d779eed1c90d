/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: locks that all threads share are taken in opposite orders.
 * In the fixed program each thread has two locks of its own, which it initializes anew each time.
 */
#include <omp.h>

int main(void)
{
	omp_lock_t key, door;

	omp_init_lock(&key);
	omp_init_lock(&door);
#ifdef FIXED
#pragma omp parallel private(key, door)
#else
#pragma omp parallel
#endif
	{
		for (int i = 0; i < 2; i++) {
#ifdef FIXED
			omp_init_lock(&key);
			omp_init_lock(&door);
#endif
			if ((omp_get_thread_num() + i) % 2 == 0) {
				omp_set_lock(&key);  /* deadlock: lock key */
				omp_set_lock(&door); /* deadlock: lock door */
			} else {
				omp_set_lock(&door); /* deadlock: lock door */
				omp_set_lock(&key);  /* deadlock: lock key */
			}
			omp_unset_lock(&door);
			omp_unset_lock(&key);
#ifdef FIXED
			omp_destroy_lock(&key);
			omp_destroy_lock(&door);
#endif
		}
	}
	omp_destroy_lock(&key);
	omp_destroy_lock(&door);
	return 0;
}
