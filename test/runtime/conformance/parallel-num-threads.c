/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * num_threads and if decide the team's size: the clause wins over the ICV, holds for its own region
 * only, and if(false) makes a team of one. OpenMP 5.1, 2.6 and 2.6.1 (algorithm 2.1).
 */
#include <omp.h>

#include "check.h"

static int size_with_clause(int requested)
{
	int size = 0;

#pragma omp parallel num_threads(requested)
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

static int size_with_if(int condition)
{
	int size = 0;
	int active = -1;

#pragma omp parallel if (condition)
#pragma omp master
	{
		size = omp_get_num_threads();
		active = omp_in_parallel();
	}
	CHECK_EQUAL(active, size > 1);
	return size;
}

static int size_with_both(int condition, int requested)
{
	int size = 0;

#pragma omp parallel if (parallel : condition) num_threads(requested)
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int requested = 1; requested <= 9; requested++) {
		CHECK_EQUAL(size_with_clause(requested), requested);
		CHECK_EQUAL(omp_get_max_threads(), threads);
		CHECK_EQUAL(size_with_both(1, requested), requested);
		CHECK_EQUAL(size_with_both(0, requested), 1);
	}
	CHECK_EQUAL(size_with_if(0), 1);
	CHECK_EQUAL(size_with_if(1), threads);
	CHECK_EQUAL(size_with_if(-7), threads);

	omp_set_num_threads(5);
	CHECK_EQUAL(omp_get_max_threads(), 5);
	CHECK_EQUAL(size_with_if(1), 5);
	CHECK_EQUAL(size_with_clause(2), 2);
	CHECK_EQUAL(size_with_if(1), 5);
	return check_result();
}
