/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: three locks in a ring of orders, of which a run of the plan shows at most two.
 * In the fixed program the last order is the other way round.
 */
#include <omp.h>

static omp_lock_t red, green, blue;
static int mixed;

static void mix(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);  /* deadlock: lock red */
	omp_set_lock(second); /* deadlock: lock green */
	mixed++;              /* deadlock: lock blue */
	omp_unset_lock(second);
	omp_unset_lock(first);
}

static void step(int i, int thread)
{
	if (i == 2 && thread == 0)
		mix(&red, &green);
	if (i == 1 && thread == 1)
		mix(&green, &blue);
	if (i == 2 && thread == 2)
#ifdef FIXED
		mix(&red, &blue);
#else
		mix(&blue, &red);
#endif
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&green);
	omp_init_lock(&blue);
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		step(i, omp_get_thread_num());
	omp_destroy_lock(&red);
	omp_destroy_lock(&green);
	omp_destroy_lock(&blue);
	return 0;
}
