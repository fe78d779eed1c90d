/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a thread takes all locks of an array downwards, the others upwards.
 * In the fixed one all go upwards, and then give them back one by one and take the last two in
 * either order, but with the first one held, which keeps them apart.
 */
#include <omp.h>

#ifdef FIXED
enum { COUNT = 40 };
#else
enum { COUNT = 20 };
#endif

static omp_lock_t locks[COUNT];
static int rounds;

static void upwards(void)
{
	for (int i = 0; i < COUNT; i++)
		omp_set_lock(&locks[i]); /* deadlock: lock locks[] */
	rounds++;
}

#ifdef FIXED
/* Holds all; in the end, the first one alone. */
static void last_two(int first, int second)
{
	for (int i = 1; i < COUNT; i++)
		omp_unset_lock(&locks[i]);
	omp_set_lock(&locks[first]);
	omp_set_lock(&locks[second]);
	omp_unset_lock(&locks[second]);
	omp_unset_lock(&locks[first]);
	for (int i = 1; i < COUNT; i++)
		omp_set_lock(&locks[i]);
}
#else
static void downwards(void)
{
	for (int i = COUNT; i-- > 0;)
		omp_set_lock(&locks[i]); /* deadlock: lock locks[] */
	rounds--;
}
#endif

int main(void)
{
	for (int i = 0; i < COUNT; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(2)
	{
#ifdef FIXED
		upwards();
		last_two(COUNT - 1 - omp_get_thread_num(), COUNT - 2 + omp_get_thread_num());
#else
		if (omp_get_thread_num() == 0)
			upwards();
		else
			downwards();
#endif
		for (int i = 0; i < COUNT; i++)
			omp_unset_lock(&locks[i]);
	}
	for (int i = 0; i < COUNT; i++)
		omp_destroy_lock(&locks[i]);
	return 0;
}
