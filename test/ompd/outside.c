/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose threads wait for each other outside OpenMP, or in code of a shared library. */
#include <omp.h>
#include <pthread.h>

#include "outside-library.h"
#include "scenes.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The mutex's holder waits at the barrier. */
static void mutex_at_barrier(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			pthread_mutex_lock(&mutex);
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			pthread_mutex_lock(&mutex);
#pragma omp barrier
	}
}

static void *sleep_long(void *unused)
{
	sleep_in_library();
	return unused;
}

static void join_in_region(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		pthread_t other;
		pthread_create(&other, NULL, sleep_long, NULL);
		pthread_join(other, NULL);
	}
}

/* No thread waits for another within OpenMP. */
static void *lock_again(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

static void mutex_of_main(void)
{
	pthread_t other;

	omp_get_thread_num();
	pthread_mutex_lock(&mutex);
	pthread_create(&other, NULL, lock_again, NULL);
	pthread_join(other, NULL);
}

static void receive_in_region(void)
{
	static volatile int flag;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		let_others();
		MPI_Send(&flag, 3, 7);
	}
}

/* The thread that forks is in the region before its worker has come. */
static void started(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		let_others();
}

const struct scene scenes[] = {{"mutex-at-barrier", mutex_at_barrier},
    {"join-in-region", join_in_region}, {"mutex-of-main", mutex_of_main},
    {"region-in-library", region_in_library}, {"receive-in-region", receive_in_region},
    {"started", started}, {NULL, NULL}};
