/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scope: every thread of the team runs the block, with private copies, a reduction and, unless
 * nowait, a barrier at its end. OpenMP 5.1, 2.9.
 */
#include <omp.h>

#include "check.h"

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int round = 0; round < 30; round++) {
		int entered = 0;
		long sum = 7;
		int smallest = 1000;
		int kept = 13;
		int passed = 0;

#pragma omp parallel
		{
#pragma omp scope reduction(+ : sum) reduction(min : smallest)
			{
				count(&entered);
				sum += omp_get_thread_num();
				smallest = omp_get_thread_num() + 3;
			}
			CHECK_EQUAL(entered, threads);
			CHECK_EQUAL(sum, 7 + threads * (threads - 1) / 2);
			CHECK_EQUAL(smallest, 3);
#pragma omp scope private(kept) nowait
			{
				kept = omp_get_thread_num();
				if (kept == 0)
					CHECK(await_flag(&passed, threads - 1));
			}
			if (omp_get_thread_num() != 0)
				raise_flag(&passed);
#pragma omp barrier
#pragma omp scope reduction(+ : sum) nowait
			sum += 1;
#pragma omp barrier
			CHECK_EQUAL(sum, 7 + threads * (threads - 1) / 2 + threads);
		}
		CHECK_EQUAL(kept, 13);
	}
	return check_result();
}
