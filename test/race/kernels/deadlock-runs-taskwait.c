/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two siblings have opposite orders, each only if a certain thread has got an iteration
 * before. No run of the plan has both. In the fixed program a taskwait is between them.
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
	int early = 0;
	int late = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 64; i++) {
			if (i == 2 && omp_get_thread_num() == 0)
				early = 1;
			if (i == 1 && omp_get_thread_num() == 1)
				late = 1;
		}
#pragma omp single
		{
#pragma omp task
			if (early)
				mix(&red, &blue);
#ifdef FIXED
#pragma omp taskwait
#endif
#pragma omp task
			if (late)
				mix(&blue, &red);
		}
	}
	omp_destroy_lock(&red);
	omp_destroy_lock(&blue);
	return 0;
}
