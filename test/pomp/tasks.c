/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks that create tasks and wait for them, run by any thread of the team, some undeferred. The
 * program adds up its processor time: the tasks' exclusive time is that, however deep tasks run
 * inside each other's taskwait.
 */
#include "regions.h"

#include <omp.h>
#include <time.h>
#include <unistd.h>

enum { PARALLEL, SINGLE, TASK, WAIT, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [SINGLE] = REGION("single", "", 20),
    [TASK] = REGION("task", "", 30),
    [WAIT] = REGION("taskwait", "", 40),
};
const int region_count = COUNT;

enum { DEPTH = 6, THREADS = 4 };

static _Atomic uint64_t worked; /* by tasks */
static _Atomic uint64_t most;   /* that they can have run, by readings around their events */

static void work_a_little(void)
{
	uint64_t start = ran();

	work_for(1000000);
	worked += ran() - start;
}

static void run_task(int depth, uint64_t task);

/* The body of a task that runs since `start`; returns since when it does after its last wait. */
static uint64_t tree(int depth, uint64_t start)
{
	work_a_little();
	if (depth == 0)
		return start;
	for (int i = 0; i < 2; i++) {
		uint64_t task = pomp_task_create_begin(&regions[TASK]);
		most += ran() - start;
#pragma omp task firstprivate(task) if (depth > 2)
		run_task(depth - 1, task);
		start = ran();
		pomp_task_create_end(&regions[TASK], task);
	}
	pomp_taskwait_enter(&regions[WAIT]);
	most += ran() - start;
#pragma omp taskwait
	start = ran();
	pomp_taskwait_exit(&regions[WAIT]);
	return start;
}

static void run_task(int depth, uint64_t task)
{
	uint64_t start = ran();

	pomp_task_begin(&regions[TASK], task);
	start = tree(depth, start);
	pomp_task_end(&regions[TASK], task);
	most += ran() - start;
}

int main(void)
{
	omp_set_dynamic(0);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_single_enter(&regions[SINGLE]);
#pragma omp single nowait
		{
			pomp_single_begin(&regions[SINGLE]);
			uint64_t task = pomp_task_create_begin(&regions[TASK]);
			usleep(2000); /* blocked in the creation, before any task has begun */
#pragma omp task firstprivate(task)
			run_task(DEPTH, task);
			pomp_task_create_end(&regions[TASK], task);
			pomp_single_end(&regions[SINGLE]);
		}
		pomp_barrier_enter(&regions[SINGLE]);
#pragma omp barrier
		pomp_barrier_exit(&regions[SINGLE]);
		pomp_single_exit(&regions[SINGLE]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_finalize();
	int count = (1 << (DEPTH + 1)) - 1;
	expect(&regions[TASK], (uint64_t)count);
	expect(&regions[WAIT], (uint64_t)(count - (1 << DEPTH)));
	print_expected("tasks 30 %d", count);
	print_expected("undeferred 30 %d", count - (1 << (DEPTH - 1)) + 1);
	print_expected("close 30 self_ns %" PRIu64 " %" PRIu64, worked, most);
	print_expected("locations %d", THREADS);
	return result();
}
