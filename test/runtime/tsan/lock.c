/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: set, test and unset order what they protect. */
#include "plant.h"

int main(void)
{
	omp_lock_t lock;
	int plain = 0;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 50; i++) {
		SYNCHRONISING(if (i % 2) omp_set_lock(&lock);
			      else while (!omp_test_lock(&lock)) sched_yield();)
		plain++;
		SYNCHRONISING(omp_unset_lock(&lock);)
	}
	CHECK_RESULT(plain, 50 * THREADS);
	omp_destroy_lock(&lock);
	return check_result();
}
