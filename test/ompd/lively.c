/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A healthy program for debuggers: waits of all constructs, one kind after the other, in an order
 * that cannot hang, until it is ended. See random-stops.py.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, ITEMS = 64 };

static int sum, items[ITEMS + 1];
static omp_lock_t locks[THREADS];
static omp_nest_lock_t nested;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void work(int amount)
{
	for (volatile int i = 0; i < amount; i++)
		;
}

static void mutexes(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < ITEMS; i++) {
		omp_set_lock(&locks[i % THREADS]);
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
#pragma omp critical(door)
		sum++;
		omp_unset_nest_lock(&nested);
		omp_unset_nest_lock(&nested);
		omp_unset_lock(&locks[i % THREADS]);
#pragma omp critical
		work(ITEMS);
	}
}

static void loops(void)
{
	int total = 0;

#pragma omp parallel num_threads(THREADS) reduction(+ : total)
	{
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < ITEMS; i++) {
			work(i);
#pragma omp ordered
			total++;
		}
#pragma omp for ordered(1)
		for (int i = 1; i < ITEMS; i++) {
#pragma omp ordered depend(sink : i - 1)
			items[i] = items[i - 1] + 1;
#pragma omp ordered depend(source)
			work(ITEMS);
		}
#pragma omp sections
		{
#pragma omp section
			work(ITEMS);
#pragma omp section
			total++;
		}
	}
	sum += total;
}

static int tree(int depth)
{
	int left = 0, right = 0;

	if (depth == 0)
		return 1;
#pragma omp task shared(left)
	left = tree(depth - 1);
#pragma omp task shared(right)
	right = tree(depth - 1);
#pragma omp taskwait
	return left + right;
}

static void tasks(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		sum += tree(6);
		for (int i = 0; i < ITEMS; i++) {
#pragma omp task depend(in : items[i]) depend(out : items[i + 1])
			work(i);
		}
#pragma omp taskgroup
		{
#pragma omp taskloop grainsize(4) nogroup
			for (int i = 0; i < ITEMS; i++)
				work(i);
		}
	}
}

static void teams_in_teams(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp barrier
			work(ITEMS);
		}
#pragma omp single
		items[0]++;
	}
}

static void *change(void *unused)
{
	pthread_mutex_lock(&mutex);
	sum++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

/* All threads but one wait for what a thread of pthreads does, while it may not do it yet. */
static void conditions(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		pthread_mutex_lock(&mutex);
		if (omp_get_thread_num() == 0) {
			pthread_t other;
			pthread_create(&other, NULL, change, NULL);
			pthread_mutex_unlock(&mutex);
			pthread_join(other, NULL);
#pragma omp barrier
		} else {
			pthread_mutex_unlock(&mutex);
#pragma omp barrier
		}
	}
}

int main(void)
{
	alarm(1200);
	omp_set_max_active_levels(2);
	omp_init_nest_lock(&nested);
	for (int i = 0; i < THREADS; i++)
		omp_init_lock(&locks[i]);
	puts("begun");
	fflush(stdout);
	for (;;) {
		mutexes();
		loops();
		tasks();
		teams_in_teams();
		conditions();
	}
}
