/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a thread that holds a lock waits for a second one, against the order of the others.
 * The fixed one only tests the second lock, and gives the first one back if it does not get it
 * (OpenMP 5.2, 18.9.6).
 */
#include <omp.h>

static omp_lock_t data, index;
static int found;

static void look_up(void)
{
	omp_set_lock(&index); /* deadlock: lock index */
	omp_set_lock(&data);  /* deadlock: lock data */
	found++;
	omp_unset_lock(&data);
	omp_unset_lock(&index);
}

static void insert(void)
{
#ifdef FIXED
	for (;;) {
		omp_set_lock(&data);
		if (omp_test_lock(&index))
			break;
		omp_unset_lock(&data);
	}
#else
	omp_set_lock(&data);  /* deadlock: lock data */
	omp_set_lock(&index); /* deadlock: lock index */
#endif
	found--;
	omp_unset_lock(&index);
	omp_unset_lock(&data);
}

int main(void)
{
	omp_init_lock(&data);
	omp_init_lock(&index);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			insert();
		else
			look_up();
	}
	omp_destroy_lock(&data);
	omp_destroy_lock(&index);
	return 0;
}
