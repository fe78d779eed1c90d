/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two iterations that different threads may get have opposite orders.
 * In the fixed program a single construct has one of them, depending on which thread executes it.
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

int main(void)
{
	omp_init_lock(&red);
	omp_init_lock(&blue);
#ifdef FIXED
#pragma omp parallel
#pragma omp single nowait
	{
		if (omp_get_thread_num() == 0)
			mix(&red, &blue);
		else
			mix(&blue, &red);
	}
#else
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			mix(&red, &blue);
		if (i == 1 && omp_get_thread_num() == 1)
			mix(&blue, &red);
	}
#endif
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
