/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: threads count their arrival relaxed and wait until all have come.
 * The counter's accesses are atomic, but relaxed ones do not order the data before and behind them
 * (OpenMP 5.2, 15.8.1 and 1.4.5). In the fixed one they are release and acquire.
 */
#include <omp.h>
#include <sched.h>

#ifdef FIXED
#define ARRIVE atomic update release
#define LOOK   atomic read acquire
#else
#define ARRIVE atomic update relaxed
#define LOOK   atomic read relaxed
#endif

static int values[64];

int main(void)
{
	int arrived = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		int next = (omp_get_thread_num() + 1) % omp_get_num_threads();
		int seen = 0;

		values[omp_get_thread_num()] = 1; /* race: write values */
#pragma omp ARRIVE
		arrived += 1;
		while (seen < omp_get_num_threads()) {
#pragma omp LOOK
			seen = arrived;
			sched_yield();
		}
		wrong += values[next] != 1; /* race: read values */
	}
	return wrong != 0;
}
