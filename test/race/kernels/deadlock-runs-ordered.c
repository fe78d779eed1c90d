/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two iterations with opposite orders, each if a certain thread gets it.
 * In the fixed program both are in an ordered region, in the order of the iterations.
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

static void step(int i)
{
	if (i == 2 && omp_get_thread_num() == 0)
		mix(&red, &blue);
	if (i == 1 && omp_get_thread_num() == 1)
		mix(&blue, &red);
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&blue);
#ifdef FIXED
#pragma omp parallel for ordered schedule(runtime)
	for (int i = 0; i < 64; i++) {
#pragma omp ordered
		step(i);
	}
#else
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		step(i);
#endif
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
