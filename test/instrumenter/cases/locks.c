/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

struct has { void (*omp_set_lock)(omp_lock_t *); };

static void use(void (*set)(omp_lock_t *), omp_lock_t *lock)
{
	set(lock);
	omp_unset_lock(lock);
}

static void (*const table[])(omp_lock_t *) = {omp_set_lock, &omp_unset_lock};

int main(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	struct has has = {omp_set_lock};
	int count = 0, nested = 0, omp_unset_nest_lock_calls = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		count++;
		(omp_unset_lock)(&lock);
		use(omp_set_lock, &lock);
		has.omp_set_lock(&lock);
		table[1](&lock);
		while (!omp_test_lock(&lock))
			;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		nested++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	printf("%d %d %d\n", count == omp_get_max_threads(), nested == omp_get_max_threads(),
	    omp_unset_nest_lock_calls);
	return 0;
}
