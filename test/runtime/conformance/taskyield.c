/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskyield is a task scheduling point that may run other tasks and always returns to its own; a
 * lock polled across it makes progress. OpenMP 5.1, 2.12.4.
 */
#include <omp.h>

#include "check.h"

int main(void)
{
	omp_lock_t lock;
	int done = 0;
	int ready = 0;

	omp_set_dynamic(0);
	omp_init_lock(&lock);
#pragma omp taskyield
#pragma omp parallel
	{
#pragma omp single
		for (int i = 0; i < 200; i++) {
#pragma omp task
			{
				while (!omp_test_lock(&lock)) {
#pragma omp taskyield
				}
				done++; /* plain: the lock protects it */
				omp_unset_lock(&lock);
			}
		}
		CHECK_EQUAL(done, 200);
#pragma omp taskyield
	}
	/* A producer and a consumer on a team of two: the consumer polls without a lock. */
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		raise_flag(&ready);
#pragma omp task
		{
			double deadline = check_deadline(10);

			while (!is_raised(&ready, 1) && keep_waiting(deadline)) {
#pragma omp taskyield
				sched_yield();
			}
			CHECK(is_raised(&ready, 1));
		}
	}
	omp_destroy_lock(&lock);
	return check_result();
}
