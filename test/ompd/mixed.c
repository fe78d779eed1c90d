/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that hang in waits of OpenMP and of pthreads together. What a debugger has to say of
 * them is in mixed.py. Each thread that lets the others go first sees them come to their waits. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "scenes.h"

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

/* One thread has the mutex and wants the lock, the other one has the lock and wants the mutex. */
static void cross(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_mutex_lock(&mutex);
	}
}

static void cross_with(int kind, int protocol, int robust)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, kind);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutex_init(&mutex, &attributes);
	cross();
}

static void mutex_and_lock(void)
{
	cross();
}

static void recursive_and_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attributes);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_mutex_lock(&mutex);
	}
}

static void errorcheck_and_lock(void)
{
	cross_with(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
}

static void priority_and_lock(void)
{
	cross_with(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
}

static void robust_and_lock(void)
{
	cross_with(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
}

static void mutex_and_critical(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		let_others();
#pragma omp critical(door)
		let_others();
	} else {
#pragma omp critical(door)
		{
			let_others();
			pthread_mutex_lock(&mutex);
		}
	}
}

static void mutex_at_barrier(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1)
			pthread_mutex_lock(&mutex);
#pragma omp barrier
		if (omp_get_thread_num() == 2)
			pthread_mutex_lock(&mutex);
#pragma omp barrier
	}
}

static void mutex_in_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		pthread_mutex_lock(&mutex);
#pragma omp task
		pthread_mutex_lock(&mutex);
		let_others();
#pragma omp taskwait
	}
}

static void mutex_twice(void)
{
	omp_get_thread_num();
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
}

static void *take_mutex(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

static void mutex_of_ended(void)
{
	pthread_t other;

	pthread_create(&other, NULL, take_mutex, NULL);
	pthread_join(other, NULL);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		pthread_mutex_lock(&mutex);
}

static void writer_and_lock(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_rwlock_wrlock(&rwlock);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_rwlock_rdlock(&rwlock);
	}
}

static void two_writers(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_rwlock_wrlock(&rwlock);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_rwlock_wrlock(&rwlock);
	}
}

static void reader_and_lock(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_rwlock_rdlock(&rwlock);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_rwlock_wrlock(&rwlock);
	}
}

static void *take_lock(void *unused)
{
	omp_set_lock(&lock);
	return unused;
}

static void join_with_lock(void)
{
	pthread_t other;

	omp_set_lock(&lock);
	pthread_create(&other, NULL, take_lock, NULL);
	pthread_join(other, NULL);
}

/* Who would signal waits for a mutex of the one that waits for the signal. */
static void condition_with_mutex(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&other_mutex);
		pthread_mutex_lock(&mutex);
		pthread_cond_wait(&ready, &mutex);
	} else {
		let_others();
		pthread_mutex_lock(&other_mutex);
		pthread_cond_signal(&ready);
	}
}

static void condition_of_nobody(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 1) {
		pthread_mutex_lock(&mutex);
		pthread_cond_wait(&ready, &mutex);
	}
}

/* The signal has come, but the mutex is held by a thread that waits for the lock. */
static void condition_and_lock(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&lock);
		pthread_mutex_lock(&mutex);
		pthread_cond_wait(&ready, &mutex);
	} else {
		let_others();
		pthread_mutex_lock(&mutex);
		pthread_cond_signal(&ready);
		omp_set_lock(&lock);
	}
}

/* A barrier that one thread more should come to. */
static void barrier_of_pthreads(void)
{
	static pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, 3);
#pragma omp parallel num_threads(2)
	pthread_barrier_wait(&barrier);
}

static void take_in_handler(int signal)
{
	(void)signal;
	pthread_mutex_lock(&mutex);
}

static void handler_with_own_mutex(void)
{
	signal(SIGUSR1, take_in_handler);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		pthread_mutex_lock(&mutex);
		raise(SIGUSR1);
	}
}

/* The handler interrupts a wait of OpenMP. */
static void handler_in_wait(void)
{
	pthread_t first = pthread_self();

	signal(SIGUSR1, take_in_handler);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&lock);
		} else {
			pthread_mutex_lock(&mutex);
			let_others();
			pthread_kill(first, SIGUSR1);
			omp_set_lock(&lock);
		}
#pragma omp barrier
	}
}

/* From here on healthy: a thread executes the program. */
static void mutex_busy(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0) {
			pthread_mutex_lock(&mutex);
			omp_set_lock(&lock);
			stay();
		}
		let_others();
		if (omp_get_thread_num() == 1)
			pthread_mutex_lock(&mutex);
		else
			omp_set_lock(&lock);
	}
}

static void writer_busy(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0) {
			pthread_rwlock_wrlock(&rwlock);
			stay();
		}
		let_others();
		if (omp_get_thread_num() == 1)
			pthread_rwlock_rdlock(&rwlock);
		else
			pthread_rwlock_wrlock(&rwlock);
	}
}

static void *work(void *unused)
{
	stay();
	return unused;
}

static void join_busy(void)
{
	pthread_t other;

	omp_set_lock(&lock);
	pthread_create(&other, NULL, work, NULL);
	pthread_join(other, NULL);
}

/* A thread that OpenMP does not know may signal. */
static void condition_busy(void)
{
	pthread_t other;

	pthread_create(&other, NULL, work, NULL);
	condition_with_mutex();
}

/* The call ends by itself after its time. */
static void mutex_for_a_while(void)
{
	struct timespec late = {0};

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 1000;
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		let_others();
		omp_set_lock(&lock);
	} else {
		omp_set_lock(&lock);
		let_others();
		pthread_mutex_timedlock(&mutex, &late);
	}
}

static void condition_for_a_while(void)
{
	struct timespec late = {0};

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 1000;
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&other_mutex);
		pthread_mutex_lock(&mutex);
		pthread_cond_timedwait(&ready, &mutex, &late);
	} else {
		let_others();
		pthread_mutex_lock(&other_mutex);
	}
}

/* Another process may release it. */
static void shared_mutex(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&mutex, &attributes);
	mutex.__data.__lock = 2;
	mutex.__data.__owner = 1;
	cross();
}

static void stay_in_handler(int signal)
{
	(void)signal;
	stay();
}

/* A thread at a barrier executes a handler, which may release the mutex. */
static void handler_busy(void)
{
	pthread_t first = pthread_self();

	signal(SIGUSR1, stay_in_handler);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			pthread_mutex_lock(&mutex);
		} else {
			let_others();
			pthread_kill(first, SIGUSR1);
			pthread_mutex_lock(&mutex);
		}
#pragma omp barrier
	}
}

static void *give_lock(void *unused)
{
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	return unused;
}

/* Waits of all kinds in an order that cannot hang, for as long as the process lives. */
static void busy_with_all(void)
{
	static int turns, given;

#pragma omp parallel num_threads(4)
	for (int i = 0; i >= 0; i = (i + 1) % 1000) {
		pthread_mutex_lock(&mutex);
		omp_set_lock(&lock);
		turns++;
#pragma omp critical(door)
		turns++;
		omp_unset_lock(&lock);
		pthread_mutex_unlock(&mutex);
		if (omp_get_thread_num() % 2 == 0)
			pthread_rwlock_rdlock(&rwlock);
		else
			pthread_rwlock_wrlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		pthread_mutex_lock(&other_mutex);
		if (omp_get_thread_num() == 0) {
			given++;
			pthread_cond_broadcast(&ready);
		} else {
			for (int seen = given; seen == given;)
				pthread_cond_wait(&ready, &other_mutex);
		}
		pthread_mutex_unlock(&other_mutex);
		if (omp_get_thread_num() == 0) {
			pthread_t other;
			pthread_create(&other, NULL, give_lock, NULL);
			pthread_join(other, NULL);
		}
	}
}

const struct scene scenes[] = {{"mutex-and-lock", mutex_and_lock},
    {"recursive-and-lock", recursive_and_lock}, {"errorcheck-and-lock", errorcheck_and_lock},
    {"priority-and-lock", priority_and_lock}, {"robust-and-lock", robust_and_lock},
    {"mutex-and-critical", mutex_and_critical}, {"mutex-at-barrier", mutex_at_barrier},
    {"mutex-in-task", mutex_in_task}, {"mutex-twice", mutex_twice},
    {"mutex-of-ended", mutex_of_ended}, {"writer-and-lock", writer_and_lock},
    {"two-writers", two_writers}, {"reader-and-lock", reader_and_lock},
    {"join-with-lock", join_with_lock}, {"condition-with-mutex", condition_with_mutex},
    {"condition-of-nobody", condition_of_nobody}, {"condition-and-lock", condition_and_lock},
    {"barrier-of-pthreads", barrier_of_pthreads},
    {"handler-with-own-mutex", handler_with_own_mutex}, {"handler-in-wait", handler_in_wait},
    {"mutex-busy", mutex_busy}, {"writer-busy", writer_busy}, {"join-busy", join_busy},
    {"condition-busy", condition_busy}, {"mutex-for-a-while", mutex_for_a_while},
    {"condition-for-a-while", condition_for_a_while}, {"shared-mutex", shared_mutex},
    {"handler-busy", handler_busy}, {"busy-with-all", busy_with_all}, {NULL, NULL}};
