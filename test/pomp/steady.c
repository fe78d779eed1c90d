/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it prints and returns is its own affair, whatever becomes of the measurement:
 * check-failures.py compares. It has what makes the library take memory and write: threads, locks,
 * tasks, nested teams, texts, and enough events for windows that are prepared ahead; with REGIONS
 * above 4096 more regions than fit into a thread's first block. With MPI also communicators and
 * messages.
 */
#include "regions.h"

#include <omp.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#ifndef REGIONS
#define REGIONS 40
#endif

enum { PARALLEL, LOOP, CRITICAL, TASK, WAIT, DEEP, MANY, USER = REGIONS, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [LOOP] = REGION("for", "", 20),
    [CRITICAL] = REGION("critical", "", 30),
    [TASK] = REGION("task", "", 40),
    [WAIT] = REGION("taskwait", "", 50),
    [DEEP] = REGION("region", "deep", 60),
    [MANY... USER - 1] = REGION("region", "many", 70),
    [USER] = REGION("region", "last", 80),
};
const int region_count = COUNT;

enum { THREADS = 3, LOCKS = 200, DEPTH = 100, PARAMETERS = 25000, EXIT_STATUS = 3 };

static omp_lock_t locks[LOCKS];
static int sum;

static void critical(void)
{
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical
	{
		pomp_critical_begin(&regions[CRITICAL]);
		sum++;
		pomp_critical_end(&regions[CRITICAL]);
	}
	pomp_critical_exit(&regions[CRITICAL]);
}

static void task(void)
{
	uint64_t number = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(                                                                     \
    number) if (0) /* here and now, so that events are as many each time */
	{
		pomp_task_begin(&regions[TASK], number);
		critical();
		pomp_task_end(&regions[TASK], number);
	}
	pomp_task_create_end(&regions[TASK], number);
	pomp_taskwait_enter(&regions[WAIT]);
#pragma omp taskwait
	pomp_taskwait_exit(&regions[WAIT]);
}

static void loop(void)
{
	pomp_for_enter(&regions[LOOP]);
#pragma omp for nowait
	for (int i = 0; i < LOCKS; i++) {
		pomp_set_lock(&locks[i]);
		pomp_unset_lock(&locks[i]);
	}
	pomp_barrier_enter(&regions[LOOP]);
#pragma omp barrier
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
}

static void team(int level)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(level == 0 ? THREADS : 2)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		loop();
		task();
		if (level == 0 && omp_get_thread_num() == 1)
			team(1);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

static void serial_part(void)
{
	char text[32];

	for (int i = 0; i < DEPTH; i++)
		pomp_begin(&regions[DEEP]);
	for (int i = 0; i < DEPTH; i++)
		pomp_end(&regions[DEEP]);
	for (int i = MANY; i < COUNT; i++) {
		pomp_begin(&regions[i]);
		pomp_end(&regions[i]);
	}
	for (int i = 0; i < PARAMETERS; i++)
		pomp_parameter_uint64("round", (uint64_t)i);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "value %d", i);
		pomp_parameter_string("text", text);
	}
}

#ifdef WITH_MPI
static void exchange(void)
{
	MPI_Comm half;
	int rank, size, got = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 20; i++) {
		MPI_Comm_split(MPI_COMM_WORLD, i % 2, rank, &half);
		MPI_Comm_set_name(half, "half");
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,
		    (rank + size - 1) % size, 1, half, MPI_STATUS_IGNORE);
		sum += got;
		MPI_Barrier(half);
		MPI_Comm_free(&half);
	}
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank != 0)
		sum = 0; /* rank 0 prints */
}
#endif

int main(int argc, char **argv)
{
#ifdef WITH_MPI
	int level;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#else
	(void)argc;
	(void)argv;
#endif
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	for (int i = 0; i < LOCKS; i++)
		pomp_init_lock(&locks[i]);
	team(0);
	serial_part();
	team(0);
#ifdef WITH_MPI
	exchange();
	MPI_Finalize();
#endif
	if (sum != 0)
		printf("sum %d\n", sum);
#ifdef WITH_MPI
	return 0; /* launchers make something of their own of other values */
#else
	return EXIT_STATUS;
#endif
}
