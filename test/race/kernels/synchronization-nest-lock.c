/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a routine unsets a nestable lock once more than it has set it.
 * A nestable lock is free when it was unset as often as set (OpenMP 5.2, 18.9): the caller then
 * writes without it. The fixed routine leaves the caller's nesting alone.
 */
#include <omp.h>

static omp_nest_lock_t lock;
static int total, steps;

static void add(int value)
{
	omp_set_nest_lock(&lock);
	total += value;
	omp_unset_nest_lock(&lock);
#ifndef FIXED
	omp_unset_nest_lock(&lock);
#endif
}

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel for
	for (int i = 0; i < 100; i++) {
		omp_set_nest_lock(&lock);
		add(i);
		steps++; /* race: write steps */
#ifdef FIXED
		omp_unset_nest_lock(&lock);
#endif
	}
	omp_destroy_nest_lock(&lock);
	return total != 4950 || steps != 100;
}
