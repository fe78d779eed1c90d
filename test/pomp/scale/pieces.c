/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces of work in many places, each timed by the program itself: POMP_SCALE causes the difference
 * between the piece's work and the time until the event after it was over. On a busy machine a
 * piece may take longer, but never less; so the program prints the least of many visits, and the
 * sums of a region's times, for check-scale.py.
 */
#include "regions.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

enum { A, CALLER, PARALLEL, LOOP, BARRIER, CRITICAL, TASK, COUNT };

OMPRegDescr regions[COUNT] = {
    [A] = REGION("region", "a", 1),
    [CALLER] = REGION("region", "caller", 5),
    [PARALLEL] = REGION("parallel", "", 10),
    [LOOP] = REGION("for", "", 20),
    [BARRIER] = REGION("barrier", "", 25),
    [CRITICAL] = REGION("critical", "slow", 30),
    [TASK] = REGION("task", "", 40),
};
const int region_count = COUNT;

enum { THREADS = 2, VISITS = 25, WORK = 500000 };

/*
 * What the pieces are:
 *   serial    outside of all regions
 *   a         in a user region
 *   loop      in a loop's body, each thread's
 *   team      the same until the loop's barrier opened: no thread came later than by its work
 *   alone     in a parallel region, by one thread
 *   wait      the end of the other one's wait for that: its event alone, nothing is delayed by it
 *   critical  in a critical's block, until before it is given back
 *   held      with a lock, until it was given back
 *   lock      the same until the other thread has it, which takes as long as that is not scheduled
 *   task      in a task
 */
enum piece { SERIAL, IN_A, IN_LOOP, TEAM, ALONE, WAIT, IN_CRITICAL, HELD, LOCK, IN_TASK, PIECES };

static const char *const names[PIECES] = {
    "serial", "a", "loop", "team", "alone", "wait", "critical", "held", "lock", "task"};

static double least[PIECES];
static uint64_t worked_in_a, took_in_a; /* sums; the latter with the events around */
static omp_lock_t lock;
static uint64_t alone_since, alone_worked; /* of the other thread; a barrier stands between */
static uint64_t lock_since, lock_worked;   /* under the lock; 0: none had it in this visit */

/* Returns how long it took. */
static uint64_t work(void)
{
	uint64_t start = now(), time;

	do
		time = now();
	while (time - start < WORK);
	return time - start;
}

static void note(enum piece piece, uint64_t since, uint64_t worked)
{
	double ratio = (double)(now() - since) / (double)worked;

	if (least[piece] == 0 || ratio < least[piece])
		least[piece] = ratio;
}

static void loop(int self)
{
	pomp_for_enter(&regions[LOOP]);
	uint64_t start = now(), worked = work();
	pomp_barrier_enter(&regions[LOOP]);
	if (self == 0)
		note(IN_LOOP, start, worked);
#pragma omp barrier
	if (self == 0)
		note(TEAM, start, worked);
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
}

static void alone(int self)
{
	if (self == 0) {
		alone_since = now();
		alone_worked = work();
	}
	pomp_barrier_enter(&regions[BARRIER]);
	if (self == 0)
		note(ALONE, alone_since, alone_worked);
#pragma omp barrier
	uint64_t opened = now();
	pomp_barrier_exit(&regions[BARRIER]);
	if (self == 1)
		note(WAIT, opened, alone_worked);
}

static void critical(void)
{
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical(slow)
	{
		pomp_critical_begin(&regions[CRITICAL]);
		uint64_t start = now(), worked = work();
		pomp_critical_end(&regions[CRITICAL]);
		note(IN_CRITICAL, start, worked);
	}
	pomp_critical_exit(&regions[CRITICAL]);
}

static void with_lock(int self)
{
	pomp_set_lock(&lock);
	if (lock_worked != 0)
		note(LOCK, lock_since, lock_worked);
	uint64_t start = now(), worked = work();
	lock_since = start;
	lock_worked = worked;
	pomp_unset_lock(&lock);
	if (self == 0)
		note(HELD, start, worked);
}

/* One task, which either thread may execute in the barrier that follows. */
static void task(void)
{
	uint64_t number = pomp_task_create_begin(&regions[TASK]);
#pragma omp task
	{
		pomp_task_begin(&regions[TASK], number);
		uint64_t start = now(), worked = work();
		pomp_task_end(&regions[TASK], number);
		note(IN_TASK, start, worked);
	}
	pomp_task_create_end(&regions[TASK], number);
}

static void parallel(void)
{
	lock_worked = 0;
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		int self = omp_get_thread_num();
		pomp_parallel_begin(&regions[PARALLEL], fork);
		loop(self);
		alone(self);
		critical();
		pomp_barrier_enter(&regions[BARRIER]);
#pragma omp barrier
		pomp_barrier_exit(&regions[BARRIER]);
		with_lock(self);
		if (self == 0)
			task();
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

static void visit_all(void)
{
	uint64_t start = now(), worked = work(), outer = now();
	pomp_begin(&regions[A]);
	note(SERIAL, start, worked);

	start = now();
	worked = work();
	pomp_end(&regions[A]);
	note(IN_A, start, worked);
	worked_in_a += worked;
	took_in_a += now() - outer;

	pomp_begin(&regions[CALLER]);
	parallel();
	pomp_end(&regions[CALLER]);
}

int main(void)
{
	omp_set_dynamic(0);
	omp_init_lock(&lock);
	for (int visit = 0; visit < VISITS; visit++)
		visit_all();
	uint64_t start = now(), worked = work();
	pomp_finalize();
	double last = (double)(now() - start) / (double)worked;

	for (int piece = 0; piece < PIECES; piece++)
		printf("%s %.4f\n", names[piece], least[piece]);
	printf("last %.4f\n", last);
	printf("worked-in-a %" PRIu64 "\ntook-in-a %" PRIu64 "\n", worked_in_a, took_in_a);
	omp_destroy_lock(&lock);
	return result();
}
