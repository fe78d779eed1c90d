/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: three threads take two of three locks each, so that no pair has both orders.
 * One order of all locks is needed, not of each pair. The fixed one has it.
 */
#include <omp.h>

static omp_lock_t red, green, blue;
static int mixed;

static void mix_one(void)
{
	omp_set_lock(&red);   /* deadlock: lock red */
	omp_set_lock(&green); /* deadlock: lock green */
	omp_unset_lock(&green);
	omp_unset_lock(&red);
}

static void mix_two(void)
{
	omp_set_lock(&green); /* deadlock: lock green */
	omp_set_lock(&blue);  /* deadlock: lock blue */
	omp_unset_lock(&blue);
	omp_unset_lock(&green);
}

static void mix_three(void)
{
#ifdef FIXED
	omp_set_lock(&red);
	omp_set_lock(&blue);
#else
	omp_set_lock(&blue); /* deadlock: lock blue */
	omp_set_lock(&red);  /* deadlock: lock red */
#endif
	mixed++;
	omp_unset_lock(&red);
	omp_unset_lock(&blue);
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&green);
	omp_init_lock(&blue);
#pragma omp parallel
	{
		switch (omp_get_thread_num() % 3) {
		case 0:
			mix_one();
			break;
		case 1:
			mix_two();
			break;
		default:
			mix_three();
		}
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&green);
	omp_destroy_lock(&blue);
	return 0;
}
