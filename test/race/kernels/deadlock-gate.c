/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: opposite orders, which a third lock around both would keep apart.
 * With the third lock only one thread at a time has any of the two. The fixed one sets it.
 */
#include <omp.h>

static omp_lock_t gate, left, right;
static int sum;

static void pass(int thread)
{
	omp_lock_t *first = thread == 0 ? &left : &right;
	omp_lock_t *second = thread == 0 ? &right : &left;

#ifdef FIXED
	omp_set_lock(&gate);
#endif
	omp_set_lock(first);  /* deadlock: lock left */
	omp_set_lock(second); /* deadlock: lock right */
	sum++;
	omp_unset_lock(second);
	omp_unset_lock(first);
#ifdef FIXED
	omp_unset_lock(&gate);
#endif
}

int main(void)
{
	omp_init_lock(&gate);
	omp_init_lock(&left);
	omp_init_lock(&right);
#pragma omp parallel
	pass(omp_get_thread_num());
	omp_destroy_lock(&gate);
	omp_destroy_lock(&left);
	omp_destroy_lock(&right);
	return 0;
}
