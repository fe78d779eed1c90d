/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: the same list is protected by one lock here and by another one there.
 * Locks order only the regions of the same lock (OpenMP 5.2, 18.9). The fixed one uses one.
 */
#include <omp.h>

int main(void)
{
	omp_lock_t first, second;
	int length = 0;

	omp_init_lock(&first);
	omp_init_lock(&second);
#ifdef FIXED
	omp_lock_t *other = &first;
#else
	omp_lock_t *other = &second;
#endif
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < 100; i++) {
			omp_set_lock(&first);
			length++; /* race: write length */
			omp_unset_lock(&first);
		}
#pragma omp for nowait
		for (int i = 0; i < 50; i++) {
			omp_set_lock(other);
			length--; /* race: write length */
			omp_unset_lock(other);
		}
	}
	omp_destroy_lock(&first);
	omp_destroy_lock(&second);
	return length != 50;
}
