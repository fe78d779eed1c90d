/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker that begins a region before the thread which forked it: both have one processor, which
 * the worker takes as soon as it is woken, and which a third thread keeps when a debugger stops the
 * worker. Without the right to such priorities it says so.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "let-others.h"

static sem_t is_ahead;

static void __attribute__((noinline)) ahead(void)
{
	sem_post(&is_ahead);
	usleep(1000); /* ahead */
}

static void take_first_processor(void)
{
	cpu_set_t all, first;
	int processor = 0;

	sched_getaffinity(0, sizeof(all), &all);
	while (!CPU_ISSET(processor, &all))
		processor++;
	CPU_ZERO(&first);
	CPU_SET(processor, &first);
	sched_setaffinity(0, sizeof(first), &first);
}

static int be_urgent(int priority)
{
	struct sched_param urgent = {.sched_priority = priority};

	return sched_setscheduler(0, SCHED_FIFO, &urgent) == 0;
}

/* Half a second of the processor, as soon as the worker is ahead. */
static void *keep_processor(void *nothing)
{
	struct timespec begun, now;

	take_first_processor();
	be_urgent(1);
	sem_wait(&is_ahead);
	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (
	    (now.tv_sec - begun.tv_sec) * 1000000000L + now.tv_nsec - begun.tv_nsec < 500000000L);
	return nothing;
}

int main(void)
{
	int is_allowed = 0;
	pthread_t keeper;

	sem_init(&is_ahead, 0, 0);
	pthread_create(&keeper, NULL, keep_processor, NULL);

#pragma omp parallel num_threads(2)
	{
		take_first_processor();
		if (omp_get_thread_num() == 1)
			is_allowed = be_urgent(2);
	}
	if (!is_allowed) {
		puts("no priority");
		return 0;
	}
	let_others();               /* the worker sleeps now */
#pragma omp parallel num_threads(2) /* forks */
	{
		if (omp_get_thread_num() == 1)
			ahead();
	}
	pthread_join(keeper, NULL);
	return 0;
}
