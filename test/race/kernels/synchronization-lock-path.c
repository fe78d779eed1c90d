/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: on one of two paths a lock is not taken.
 * The short way out of a rare case forgets it (OpenMP 5.2, 18.9 and 1.4.1). The fixed one takes
 * the lock on both paths.
 */
#include <omp.h>

static omp_lock_t lock;
static int errors, items;

static void count(int item)
{
	if (item % 50 == 49) {
#ifdef FIXED
		omp_set_lock(&lock);
#endif
		errors++; /* race: write errors */
		items++;  /* race: write items */
#ifdef FIXED
		omp_unset_lock(&lock);
#endif
		return;
	}
	omp_set_lock(&lock);
	items++; /* race: write items */
	omp_unset_lock(&lock);
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel for schedule(static, 25)
	for (int i = 0; i < 400; i++)
		count(i);
	omp_destroy_lock(&lock);
	return items != 400 || errors != 8;
}
