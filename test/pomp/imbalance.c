/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planted waits, each also timed by the program itself beside the library: the machine may be busy,
 * so the expectation is what really happened, and the library must say the same within 2 %.
 */
#include "regions.h"

#include <omp.h>
#include <time.h>

enum { MAIN, PARALLEL, LOOP, CRITICAL, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [PARALLEL] = REGION("parallel", "", 10),
    [LOOP] = REGION("for", "", 20),
    [CRITICAL] = REGION("critical", "slow", 30),
};
const int region_count = COUNT;

enum { THREADS = 2, PLANTED = 100000000 };

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void pause_for(long nanoseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

int main(void)
{
	uint64_t work[THREADS], barrier_wait[THREADS], enter_wait[THREADS], hold[THREADS];

	omp_set_dynamic(0);
	pomp_begin(&regions[MAIN]);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		int self = omp_get_thread_num();
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_for_enter(&regions[LOOP]);
		uint64_t start = now();
#pragma omp for nowait schedule(static, 1)
		for (int i = 0; i < THREADS; i++)
			pause_for(i == 1 ? PLANTED : PLANTED / 10);
		work[self] = now() - start;
		pomp_barrier_enter(&regions[LOOP]);
		start = now();
#pragma omp barrier
		barrier_wait[self] = now() - start;
		pomp_barrier_exit(&regions[LOOP]);
		pomp_for_exit(&regions[LOOP]);

		pomp_critical_enter(&regions[CRITICAL]);
		start = now();
#pragma omp critical(slow)
		{
			enter_wait[self] = now() - start;
			pomp_critical_begin(&regions[CRITICAL]);
			start = now();
			pause_for(PLANTED / 2);
			hold[self] = now() - start;
			pomp_critical_end(&regions[CRITICAL]);
		}
		pomp_critical_exit(&regions[CRITICAL]);
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_end(&regions[MAIN]);
	pomp_finalize();

	expect(&regions[LOOP], THREADS);
	expect(&regions[CRITICAL], THREADS);
	uint64_t slowest = work[0] > work[1] ? work[0] : work[1];
	tell("close %d barrier_wait_ns %" PRIu64, 20, barrier_wait[0] + barrier_wait[1]);
	tell("close %d imbalance_ns %" PRIu64, 20, 2 * slowest - work[0] - work[1]);
	tell("close %d body_max_ns %" PRIu64, 20, slowest);
	tell("close %d enter_wait_ns %" PRIu64, 30, enter_wait[0] + enter_wait[1]);
	tell("close %d body_sum_ns %" PRIu64, 30, hold[0] + hold[1]);
	tell("threads %d", THREADS);
	tell("locations %d", THREADS);
	return result();
}
