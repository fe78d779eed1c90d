/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tasks protect a list by a lock, but its head is changed by the generating task without
 * it.
 * The generating task goes on beside its tasks (OpenMP 5.2, 12.5). The fixed one sets the lock,
 * too.
 */
#include <omp.h>

static omp_lock_t lock;
static int items, changes;

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task
		{
			omp_set_lock(&lock);
			items += 2; /* race: write items */
			changes++;
			omp_unset_lock(&lock);
		}
#ifdef FIXED
		omp_set_lock(&lock);
#endif
		items -= 1; /* race: write items */
#ifdef FIXED
		omp_unset_lock(&lock);
#endif
	}
	omp_destroy_lock(&lock);
	return items != 30 || changes != 30;
}
