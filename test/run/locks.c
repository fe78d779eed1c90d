/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks are all that this program has of OpenMP: its threads are POSIX threads, as a library's may
 * be.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 500 };
static omp_lock_t lock;
static omp_nest_lock_t nest;
static int count, nested;

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		omp_set_lock(&lock);
		count++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		if (omp_test_nest_lock(&nest) == 2)
			nested++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d %d %d\n", count, nested, omp_test_lock(&lock));
	omp_unset_lock(&lock);
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	return 0;
}
