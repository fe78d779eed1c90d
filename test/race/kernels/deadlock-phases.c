/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: all threads take two locks in one order, and later in the other one.
 * A thread that is ahead meets one that is behind. In the fixed program a barrier is between the
 * two phases, and two further regions, one after the other, have both orders.
 */
#include <omp.h>

static omp_lock_t upper, lower;
static int swaps;

static void swap(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);  /* deadlock: lock upper */
	omp_set_lock(second); /* deadlock: lock lower */
	swaps++;
	omp_unset_lock(second);
	omp_unset_lock(first);
}

int main(void)
{
	omp_init_lock(&upper);
	omp_init_lock(&lower);
#pragma omp parallel
	{
		swap(&upper, &lower);
#ifdef FIXED
#pragma omp barrier
#endif
		swap(&lower, &upper);
	}
#ifdef FIXED
#pragma omp parallel
	swap(&upper, &lower);
#pragma omp parallel
	swap(&lower, &upper);
#endif
	omp_destroy_lock(&upper);
	omp_destroy_lock(&lower);
	return 0;
}
