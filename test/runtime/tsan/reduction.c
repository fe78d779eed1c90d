/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction: the combination of the private copies is ordered, also for arrays. */
#include "plant.h"

#ifdef PLANT_RACE
#define LOOP _Pragma("omp for schedule(static, 1)")
#else
#define LOOP _Pragma("omp for schedule(dynamic) reduction(+ : sum, buckets)")
#endif

int main(void)
{
	long sum = 0;
	int buckets[8] = {0};
	int here = 0;

#pragma omp parallel num_threads(THREADS)
	{
		wait_if_planted(&here, THREADS);
		LOOP for (int i = 0; i < 100; i++)
		{
			sum += i;
			buckets[i % 8]++;
		}
		CHECK_RESULT(sum, 4950);
	}
	CHECK_RESULT(buckets[0], 13);
	return check_result();
}
