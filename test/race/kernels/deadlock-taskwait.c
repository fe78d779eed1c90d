/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a task takes two locks in one order, and its creator in the other one.
 * The creator goes on beside the task. The fixed one waits for it first (OpenMP 5.2, 15.5).
 */
#include <omp.h>

static omp_lock_t cache, disk;
static int reads, writes;

int main(void)
{
	omp_init_lock(&cache);
	omp_init_lock(&disk);
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 8; i++) {
#pragma omp task
			{
				omp_set_lock(&cache); /* deadlock: lock cache */
				omp_set_lock(&disk);  /* deadlock: lock disk */
				reads++;
				omp_unset_lock(&disk);
				omp_unset_lock(&cache);
			}
		}
#ifdef FIXED
#pragma omp taskwait
#endif
		omp_set_lock(&disk);  /* deadlock: lock disk */
		omp_set_lock(&cache); /* deadlock: lock cache */
		writes++;
		omp_unset_lock(&cache);
		omp_unset_lock(&disk);
	}
	omp_destroy_lock(&cache);
	omp_destroy_lock(&disk);
	return 0;
}
