/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMP_THREAD_LIMIT bounds the threads of the contention group, nested teams together, and returns
 * what a finished region no longer needs. OpenMP 5.1, 2.6.1 (algorithm 2.1) and 6.10.
 */
#include <omp.h>

#include "check.h"

#define LIMIT 5

static int size_of(int requested)
{
	int size = 0;

#pragma omp parallel num_threads(requested)
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

static void nested(void)
{
	int inside = 0;
	int most = 0;

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(3)
	{
		int now = count(&inside) + 1;

#pragma omp critical
		most = now > most ? now : most;
		dawdle(2000);
		__atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
	}
	CHECK(most >= 1 && most <= LIMIT);
	CHECK_EQUAL(inside, 0);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_THREAD_LIMIT", "5");
	CHECK_EQUAL(omp_get_thread_limit(), LIMIT);
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		CHECK_EQUAL(size_of(1), 1);
		CHECK_EQUAL(size_of(LIMIT), LIMIT);
		CHECK(size_of(LIMIT + 1) <= LIMIT);
		CHECK(size_of(100) <= LIMIT);
		nested();
		CHECK_EQUAL(size_of(3), 3);
	}
	return check_result();
}
