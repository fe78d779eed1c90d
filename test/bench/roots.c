/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fixed amount of work in parallel regions that several threads of the program fork at the same
 * time: roots THREADS MICROSECONDS SERIAL AMOUNT. Each region has MICROSECONDS of processor time;
 * after it the forking thread computes alone for SERIAL times as much. All together do AMOUNT
 * tenths of a second, whatever the number of threads. Prints the seconds that it took, without each
 * thread's first region, the processor time, and the mean number of threads of a region.
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "work.h"

enum { TURNS = 400 /* about 0.4 us */, MOST_ROOTS = 64 };

struct plan {
	long regions; /* of each thread */
	long parts;   /* of a region */
	long serial;  /* parts behind it */
	pthread_barrier_t begin;
	atomic_long members; /* of all regions, added by each thread at its end */
};

static int region(long parts)
{
	int threads = 1;

#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (long i = 0; i < parts; i++)
			work(TURNS);
#pragma omp master
		threads = omp_get_num_threads();
	}
	return threads;
}

static void *root(void *argument)
{
	struct plan *plan = argument;
	long members = 0;

	region(1);
	pthread_barrier_wait(&plan->begin);
	for (long i = 0; i < plan->regions; i++) {
		members += region(plan->parts);
		for (long j = 0; j < plan->serial; j++)
			work(TURNS);
	}
	atomic_fetch_add(&plan->members, members);
	return NULL;
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(struct plan *plan, int threads)
{
	pthread_t thread[MOST_ROOTS];
	double begin, used;

	pthread_barrier_init(&plan->begin, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, root, plan) != 0)
			abort();
	pthread_barrier_wait(&plan->begin);
	begin = seconds(CLOCK_MONOTONIC);
	used = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("%.6f %.6f %.3f\n", seconds(CLOCK_MONOTONIC) - begin,
	    seconds(CLOCK_PROCESS_CPUTIME_ID) - used,
	    (double)plan->members / (double)(plan->regions * threads));
	pthread_barrier_destroy(&plan->begin);
}

int main(int count, char **words)
{
	struct plan plan = {0};
	int threads = count == 5 ? atoi(words[1]) : 0;
	double length = count == 5 ? atof(words[2]) : 0, serial = count == 5 ? atof(words[3]) : -1;
	int amount = count == 5 ? atoi(words[4]) : 0;

	plan.parts = (long)(length / 0.4);
	plan.serial = (long)(length * serial / 0.4);
	if (threads <= 0 || threads > MOST_ROOTS || plan.parts <= 0 || serial < 0 || amount <= 0) {
		fprintf(stderr, "usage: roots THREADS MICROSECONDS SERIAL AMOUNT\n");
		return 2;
	}
	plan.regions = (long)(amount * 1e5 / (length * (1 + serial)) / threads) + 1;
	measure(&plan, threads);
	return 0;
}
