/* SPDX-License-Identifier: BSD-3-Clause */
/* Nestable locks: the outermost set and unset order what they protect. */
#include "plant.h"

int main(void)
{
	omp_nest_lock_t lock;
	int plain = 0;

	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 50; i++) {
		SYNCHRONISING(omp_set_nest_lock(&lock); omp_set_nest_lock(&lock);)
		plain++;
		SYNCHRONISING(omp_unset_nest_lock(&lock);)
		plain++;
		SYNCHRONISING(omp_unset_nest_lock(&lock);)
	}
	CHECK_RESULT(plain, 100 * THREADS);
	omp_destroy_nest_lock(&lock);
	return check_result();
}
