/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks with a known history: one that its holder takes again, one that another thread is planted
 * on, and a critical so short that only the order of its events tells who met whom.
 */
#include "regions.h"

#include <omp.h>
#include <time.h>

enum { PARALLEL, BRIEF, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [BRIEF] = REGION("critical", "brief", 20),
};
const int region_count = COUNT;

enum { THREADS = 4, ROUNDS = 2000, DEPTH = 3, PLANTED = 100000000 };

static omp_lock_t planted;
static omp_nest_lock_t again;
static uint64_t wait_time, hold_time;
static long sum;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void take_again(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int depth = 0; depth < DEPTH; depth++)
			pomp_set_nest_lock(&again);
		for (int depth = 0; depth < DEPTH; depth++)
			pomp_unset_nest_lock(&again);
	}
}

/* Thread 0 holds the lock while thread 1 asks for it; nobody else does. */
static void plant(int self)
{
	uint64_t start = 0;

	if (self == 0) {
		pomp_set_lock(&planted);
		start = now();
	}
#pragma omp barrier
	if (self == 0) {
		nanosleep(&(struct timespec){.tv_nsec = PLANTED}, NULL);
		hold_time = now() - start;
		pomp_unset_lock(&planted);
	} else if (self == 1) {
		start = now();
		pomp_set_lock(&planted);
		wait_time = now() - start;
		pomp_unset_lock(&planted);
	}
#pragma omp barrier
}

static void brief_criticals(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		pomp_critical_enter(&regions[BRIEF]);
#pragma omp critical(brief)
		{
			pomp_critical_begin(&regions[BRIEF]);
			sum++;
			pomp_critical_end(&regions[BRIEF]);
		}
		pomp_critical_exit(&regions[BRIEF]);
	}
}

int main(void)
{
	omp_set_dynamic(0);
	omp_init_lock(&planted);
	omp_init_nest_lock(&again);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		int self = omp_get_thread_num();
		if (self == 2)
			take_again();
		plant(self);
		brief_criticals();
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_finalize();

	check(sum == THREADS * ROUNDS, "sum", (uint64_t)sum, THREADS * ROUNDS);
	expect(&regions[BRIEF], THREADS * ROUNDS);
	tell("acquisitions critical(brief)|hand.c:20|%d", THREADS * ROUNDS);
	tell("acquisitions lock|%p|%d", (void *)&again, DEPTH * ROUNDS);
	tell("contended lock|%p|0", (void *)&again);
	tell("acquisitions lock|%p|2", (void *)&planted);
	tell("contended lock|%p|1", (void *)&planted);
	tell("lock_close lock|%p|wait_ns|%" PRIu64, (void *)&planted, wait_time);
	tell("lock_close lock|%p|hold_ns|%" PRIu64, (void *)&planted, hold_time);
	tell("locks 3");
	tell("locations %d", THREADS);
	return result();
}
