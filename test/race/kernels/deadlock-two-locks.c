/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two functions take the same two locks in opposite orders.
 * Two threads that have one each wait for ever (OpenMP 5.2, 18.9.4). The fixed functions have one
 * order.
 */
#include <omp.h>

static omp_lock_t from, to;
static int moved;

static void forth(void)
{
	omp_set_lock(&from); /* deadlock: lock from */
	omp_set_lock(&to);   /* deadlock: lock to */
	moved++;
	omp_unset_lock(&to);
	omp_unset_lock(&from);
}

static void back(void)
{
#ifdef FIXED
	omp_set_lock(&from);
	omp_set_lock(&to);
#else
	omp_set_lock(&to);   /* deadlock: lock to */
	omp_set_lock(&from); /* deadlock: lock from */
#endif
	moved--;
	omp_unset_lock(&from);
	omp_unset_lock(&to);
}

int main(void)
{
	omp_init_lock(&from);
	omp_init_lock(&to);
#pragma omp parallel
	{
		if (omp_get_thread_num() % 2 == 0)
			forth();
		else
			back();
	}
	omp_destroy_lock(&from);
	omp_destroy_lock(&to);
	return 0;
}
