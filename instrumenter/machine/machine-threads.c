/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier stands before and after each round. Thread 0 reads the clock at their ends, so that a
 * round ends with its last thread. Nobody passes the gate before all have been started: a barrier
 * for more threads than there are would never end.
 */
#include "machine-threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct crew {
	pthread_mutex_t gate; /* held until all have been started */
	unsigned missing;     /* could not be started; written and read by holders of the gate */
	pthread_barrier_t barrier;
	const cpu_set_t *processors;
	machine_work *prepare, *work;
	void *context;
	unsigned rounds;
	double *seconds;
};

struct member {
	struct crew *crew;
	pthread_t thread;
	unsigned number;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Stays on the number-th processor of the set; elsewhere if the kernel refuses. */
static void bind(const cpu_set_t *processors, unsigned number)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	for (unsigned i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, processors) && number-- == 0) {
			CPU_SET(i, &one);
			pthread_setaffinity_np(pthread_self(), sizeof one, &one);
			return;
		}
	}
}

static void *run_member(void *argument)
{
	struct member *member = argument;
	struct crew *crew = member->crew;

	pthread_mutex_lock(&crew->gate);
	bool complete = crew->missing == 0;
	pthread_mutex_unlock(&crew->gate);
	if (!complete)
		return NULL;
	bind(crew->processors, member->number);
	crew->prepare(crew->context, member->number);
	for (unsigned round = 0; round < crew->rounds; round++) {
		pthread_barrier_wait(&crew->barrier);
		double begin = now();
		crew->work(crew->context, member->number);
		pthread_barrier_wait(&crew->barrier);
		if (member->number == 0)
			crew->seconds[round] = now() - begin;
	}
	return NULL;
}

/* Starts those that can be started; the others' number is returned. */
static unsigned start(struct member *members, unsigned threads, struct crew *crew)
{
	for (unsigned i = 0; i < threads; i++) {
		members[i] = (struct member){.crew = crew, .number = i};
		if (pthread_create(&members[i].thread, NULL, run_member, &members[i]) != 0)
			return threads - i;
	}
	return 0;
}

bool machine_run_threads(unsigned threads, const cpu_set_t *processors, machine_work *prepare,
    machine_work *work, void *context, unsigned rounds, double *seconds)
{
	struct crew crew = {.gate = PTHREAD_MUTEX_INITIALIZER,
	    .processors = processors,
	    .prepare = prepare,
	    .work = work,
	    .context = context,
	    .rounds = rounds,
	    .seconds = seconds};
	struct member *members = calloc(threads, sizeof members[0]);

	if (members == NULL || pthread_barrier_init(&crew.barrier, NULL, threads) != 0) {
		free(members);
		return false;
	}
	pthread_mutex_lock(&crew.gate);
	crew.missing = start(members, threads, &crew);
	pthread_mutex_unlock(&crew.gate);
	for (unsigned i = 0; i < threads - crew.missing; i++)
		pthread_join(members[i].thread, NULL);
	pthread_barrier_destroy(&crew.barrier);
	free(members);
	return crew.missing == 0;
}
