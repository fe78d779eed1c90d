/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * master and masked: only thread 0, or the one that filter names, runs the block, and there is no
 * barrier at either end. OpenMP 5.1, 2.8.
 */
#include <omp.h>

#include "check.h"

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int round = 0; round < 30; round++) {
		int master = 0;
		int masked = 0;
		int filtered = 0;
		int by_none = 0;
		int passed = 0;
		int wanted = round % threads;

#pragma omp parallel
		{
#pragma omp master
			{
				CHECK_EQUAL(omp_get_thread_num(), 0);
				count(&master);
				CHECK(await_flag(
				    &passed, threads - 1)); /* the others do not wait here */
			}
			if (omp_get_thread_num() != 0)
				raise_flag(&passed);
#pragma omp masked
			{
				CHECK_EQUAL(omp_get_thread_num(), 0);
				count(&masked);
			}
#pragma omp masked filter(wanted)
			{
				CHECK_EQUAL(omp_get_thread_num(), wanted);
				count(&filtered);
			}
#pragma omp masked filter(threads)
			count(&by_none);
		}
		CHECK_EQUAL(master, 1);
		CHECK_EQUAL(masked, 1);
		CHECK_EQUAL(filtered, 1);
		CHECK_EQUAL(by_none, 0);
	}
	return check_result();
}
