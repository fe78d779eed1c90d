/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: opposite orders in one region, of which a run of the plan shows at most one.
 * In the fixed program the initial thread has one of them before the region, if thread 1 has got
 * an iteration of an earlier region.
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
#ifdef FIXED
	int first = 0;

#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		if (i == 1 && omp_get_thread_num() == 1)
			first = 1;
	if (first)
		mix(&blue, &red);
#endif
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			mix(&red, &blue);
#ifndef FIXED
		if (i == 1 && omp_get_thread_num() == 1)
			mix(&blue, &red);
#endif
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
