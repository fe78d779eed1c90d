/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dyn-var lets the runtime give fewer threads than asked for, never more and never none, and what
 * the region computes does not depend on it. OpenMP 5.1, 2.6.1 and 3.2.6.
 */
#include <omp.h>

#include "check.h"

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(1);
	CHECK_EQUAL(omp_get_dynamic(), 1);
	for (int requested = 1; requested <= threads + 8; requested++) {
		int size = 0;
		int members = 0;
		int times[40] = {0};

#pragma omp parallel num_threads(requested)
		{
#pragma omp single
			size = omp_get_num_threads();
			CHECK_EQUAL(omp_get_dynamic(), 1);
			count(&members);
#pragma omp for schedule(dynamic, 3)
			for (int i = 0; i < 40; i++)
				count(&times[i]);
		}
		CHECK(size >= 1 && size <= requested);
		CHECK_EQUAL(members, size);
		CHECK_ALL(times, 40, 1);
	}
	omp_set_dynamic(0);
	CHECK_EQUAL(omp_get_dynamic(), 0);
#pragma omp parallel num_threads(threads)
	CHECK_EQUAL(omp_get_num_threads(), threads);
	return check_result();
}
