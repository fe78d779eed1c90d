/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planted work and waits, each also timed by the program itself beside the library: the machine may
 * be busy, so the expectation is what really happened, and the library must say the same within 2
 * %.
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

/* Both are reported; nothing else is what libpomp may find. */
#define print_close(line, key, low, high)                                                          \
	print_expected("close %d %s %" PRIu64 " %" PRIu64, line, key, low, high)

static uint64_t above(uint64_t value, uint64_t other)
{
	return value > other ? value - other : 0;
}

static uint64_t larger(uint64_t value, uint64_t other)
{
	return value > other ? value : other;
}

static void print_sum(int line, const char *key, const struct span *span)
{
	print_close(line, key, span[0].inside + span[1].inside, span[0].outside + span[1].outside);
}

static void print_times(const struct span *work, const struct span *barrier_wait,
    const struct span *enter_wait, const struct span *hold)
{
	expect(&regions[LOOP], THREADS);
	expect(&regions[CRITICAL], THREADS);
	print_sum(20, "barrier_wait_ns", barrier_wait);
	/* Of two: what the slower one took longer. */
	print_close(20, "imbalance_ns",
	    larger(above(work[0].inside, work[1].outside), above(work[1].inside, work[0].outside)),
	    larger(above(work[0].outside, work[1].inside), above(work[1].outside, work[0].inside)));
	print_close(20, "body_max_ns", larger(work[0].inside, work[1].inside),
	    larger(work[0].outside, work[1].outside));
	print_sum(30, "enter_wait_ns", enter_wait);
	print_sum(30, "body_sum_ns", hold);
	print_expected("threads %d", THREADS);
	print_expected("locations %d", THREADS);
}

int main(void)
{
	struct span work[THREADS], barrier_wait[THREADS], enter_wait[THREADS], hold[THREADS];

	omp_set_dynamic(0);
	pomp_begin(&regions[MAIN]);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		int self = omp_get_thread_num();
		pomp_parallel_begin(&regions[PARALLEL], fork);
		uint64_t outer_work = ran();
		pomp_for_enter(&regions[LOOP]);
		uint64_t start_work = ran();
#pragma omp for nowait schedule(static, 1)
		for (int i = 0; i < THREADS; i++)
			work_for(i == 1 ? PLANTED : PLANTED / 10);
		work[self].inside = ran() - start_work;
		uint64_t end = now();
		pomp_barrier_enter(&regions[LOOP]);
		uint64_t start = now();
		work[self].outside = ran() - outer_work;
#pragma omp barrier
		barrier_wait[self].inside = now() - start;
		pomp_barrier_exit(&regions[LOOP]);
		barrier_wait[self].outside = now() - end;
		pomp_for_exit(&regions[LOOP]);

		uint64_t outer = now();
		pomp_critical_enter(&regions[CRITICAL]);
		start = now();
#pragma omp critical(slow)
		{
			enter_wait[self].inside = now() - start;
			outer_work = ran();
			pomp_critical_begin(&regions[CRITICAL]);
			start_work = ran();
			enter_wait[self].outside = now() - outer;
			work_for(PLANTED / 2);
			hold[self].inside = ran() - start_work;
			pomp_critical_end(&regions[CRITICAL]);
			hold[self].outside = ran() - outer_work;
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

	print_times(work, barrier_wait, enter_wait, hold);
	return result();
}
