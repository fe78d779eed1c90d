/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: opposite orders in different runs, which a third lock around both would keep apart.
 * The fixed one has the third lock: no two threads are between the two calls at once.
 */
#include <omp.h>

static omp_lock_t gate, red, blue;
static int mixed;

static void mix(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);  /* deadlock: lock red */
	omp_set_lock(second); /* deadlock: lock blue */
	mixed++;
	omp_unset_lock(second);
	omp_unset_lock(first);
}

static void mix_alone(omp_lock_t *first, omp_lock_t *second)
{
#ifdef FIXED
	omp_set_lock(&gate);
#endif
	mix(first, second);
#ifdef FIXED
	omp_unset_lock(&gate);
#endif
}

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&blue);
	omp_init_lock(&gate);
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			mix_alone(&red, &blue);
		if (i == 1 && omp_get_thread_num() == 1)
			mix_alone(&blue, &red);
	}
	omp_destroy_lock(&gate);
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
