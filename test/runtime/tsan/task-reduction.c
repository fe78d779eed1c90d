/* SPDX-License-Identifier: BSD-3-Clause */
/* Task reductions: private copies are initialised, used by several tasks and combined in order. */
#include "plant.h"

#ifdef PLANT_RACE
#define GROUP _Pragma("omp taskgroup")
#define TASK  _Pragma("omp task")
#else
#define GROUP _Pragma("omp taskgroup task_reduction(+ : sum, buckets)")
#define TASK  _Pragma("omp task in_reduction(+ : sum, buckets)")
#endif

int main(void)
{
	long sum = 0;
	int buckets[4] = {0};
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		GROUP
		for (int i = 0; i < 60; i++) {
			TASK
			{
				if (i < 2)
					wait_if_planted(&here, 2);
				sum += i;
				buckets[i % 4]++;
			}
		}
		CHECK_RESULT(sum, 1770);
		CHECK_RESULT(buckets[3], 15);
	}
	return check_result();
}
