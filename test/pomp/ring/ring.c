/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events for a ring (POMP_TRACE_RING), in rounds until the program is killed: argv[1] threads, with
 * a user region around all, nested regions, tasks, a critical and a lock. It prints the number of
 * each finished round. With argv[2] it ends by itself after so many, and then writes its latest
 * events to the folder argv[3]. "2-1": 2 threads in the first round, then 1.
 */
#include "regions.h"

#include <omp.h>
#include <string.h>
#include <unistd.h>

enum { MAIN, PARALLEL, INNER, LOOP, USER, CRITICAL, GROUP, TASK, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [PARALLEL] = REGION("parallel", "", 10),
    [INNER] = REGION("parallel", "", 15),
    [LOOP] = REGION("for", "", 20),
    [USER] = REGION("region", "user", 30),
    [CRITICAL] = REGION("critical", "", 40),
    [GROUP] = REGION("taskgroup", "", 50),
    [TASK] = REGION("task", "", 60),
};
const int region_count = COUNT;

static omp_lock_t lock;

static void take_turns(void)
{
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical
	{
		pomp_critical_begin(&regions[CRITICAL]);
		pomp_critical_end(&regions[CRITICAL]);
	}
	pomp_critical_exit(&regions[CRITICAL]);
	pomp_set_lock(&lock);
	pomp_unset_lock(&lock);
}

static void group(void)
{
	pomp_taskgroup_enter(&regions[GROUP]);
#pragma omp taskgroup
	{
		pomp_taskgroup_begin(&regions[GROUP]);
		for (int i = 0; i < 20; i++) {
			uint64_t task = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(task) if (i % 4 != 0)
			{
				pomp_task_begin(&regions[TASK], task);
				take_turns();
				pomp_task_end(&regions[TASK], task);
			}
			pomp_task_create_end(&regions[TASK], task);
		}
		pomp_taskgroup_end(&regions[GROUP]);
	}
	pomp_taskgroup_exit(&regions[GROUP]);
}

static void inner(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[INNER]);
#pragma omp parallel num_threads(1)
	{
		pomp_parallel_begin(&regions[INNER], fork);
		for (int i = 0; i < 50; i++) {
			pomp_begin(&regions[USER]);
			pomp_end(&regions[USER]);
		}
		pomp_parallel_end(&regions[INNER]);
	}
	pomp_parallel_join(&regions[INNER], fork);
}

static void member(uint64_t fork)
{
	pomp_parallel_begin(&regions[PARALLEL], fork);
	pomp_for_enter(&regions[LOOP]);
	inner();
	pomp_barrier_enter(&regions[LOOP]);
#pragma omp barrier
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
	group();
	pomp_parallel_end(&regions[PARALLEL]);
}

int main(int argc, char **argv)
{
	char *later = argc > 1 ? strchr(argv[1], '-') : NULL;
	int threads = argc > 1 ? atoi(argv[1]) : 2;
	long rounds = argc > 2 ? atol(argv[2]) : -1;

	omp_set_max_active_levels(2);
	pomp_init_lock(&lock);
	pomp_begin(&regions[MAIN]);
	for (long round = 0; round != rounds; round++) {
		uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(threads)
		member(fork);
		pomp_parallel_join(&regions[PARALLEL], fork);
		if (later != NULL)
			threads = atoi(later + 1);
		dprintf(STDOUT_FILENO, "%ld\n", round + 1);
	}
	if (argc > 3)
		dprintf(STDOUT_FILENO, "%d %d\n", pomp_trace_ring(argv[3]), pomp_trace_ring(NULL));
	pomp_end(&regions[MAIN]);
	return 0;
}
