/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: opposite orders in one region, of which a run of the plan shows at most one.
 * In the fixed program they are in two regions, one after the other.
 */
#include <omp.h>

static omp_lock_t red, blue;
static int mixed;

static void mix(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);  /* deadlock: lock red */
	omp_set_lock(second); /* deadlock: lock blue */
	mixed++;
	omp_unset_lock(second);
	omp_unset_lock(first);
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&blue);
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			mix(&red, &blue);
#ifdef FIXED
	}
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
#endif
		if (i == 1 && omp_get_thread_num() == 1)
			mix(&blue, &red);
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
