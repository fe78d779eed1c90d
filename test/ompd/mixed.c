/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that hang in waits of OpenMP and of pthreads together. What a debugger has to say of
 * them is in mixed.py. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "scenes.h"

static omp_lock_t lock, given_back[9]; /* more than the runtime notes */
static omp_nest_lock_t nested;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

/* What scenes are made of; threads of pthreads can begin with them. */
typedef void *act(void *unused);

static void *set_lock(void *unused)
{
	omp_set_lock(&lock);
	return unused;
}

static void *enter_door(void *unused)
{
#pragma omp critical(door)
	;
	return unused;
}

static void *lock_mutex(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

static void *lock_twice(void *unused)
{
	lock_mutex(unused);
	return lock_mutex(unused);
}

static void *read_rwlock(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	return unused;
}

static void *write_rwlock(void *unused)
{
	pthread_rwlock_wrlock(&rwlock);
	return unused;
}

/* With the mutex, which it gives back meanwhile. */
static void *wait_for_signal(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&ready, &mutex);
	return unused;
}

static void *work(void *unused)
{
	stay();
	return unused;
}

/* So many threads wait here for each other, with whatever they have. */
static void meet(int count)
{
	enum { PAUSE = 1000 };
	static atomic_int there;

	for (there++; there < count;)
		usleep(PAUSE);
}

/* Each of two threads has what the other one wants, and wants what the other one has. */
static void cross(act *first, act *first_wanted, act *second, act *second_wanted)
{
#pragma omp parallel num_threads(2)
	{
		int number = omp_get_thread_num();
		(number == 0 ? first : second)(NULL);
		meet(2);
		(number == 0 ? first_wanted : second_wanted)(NULL);
	}
}

/* Number 0 of two threads does the one, and then number 1 the other. */
static void one_after_the_other(act *first, act *second)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		first(NULL);
	} else {
		let_others();
		second(NULL);
	}
}

static void join(act *begin)
{
	pthread_t other;

	pthread_create(&other, NULL, begin, NULL);
	pthread_join(other, NULL);
}

static void mutex_and_lock(void)
{
	cross(lock_mutex, set_lock, set_lock, lock_mutex);
}

static void make_mutex(int kind, int protocol, int robust, int shared)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, kind);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutexattr_setpshared(&attributes, shared);
	pthread_mutex_init(&mutex, &attributes);
}

static void recursive_and_lock(void)
{
	make_mutex(PTHREAD_MUTEX_RECURSIVE, 0, 0, 0);
	cross(lock_twice, set_lock, set_lock, lock_mutex);
}

static void errorcheck_and_lock(void)
{
	make_mutex(PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0);
	mutex_and_lock();
}

static void priority_and_lock(void)
{
	make_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, 0);
	mutex_and_lock();
}

static void robust_and_lock(void)
{
	make_mutex(PTHREAD_MUTEX_NORMAL, 0, PTHREAD_MUTEX_ROBUST, 0);
	mutex_and_lock();
}

static void all_kinds_and_lock(void)
{
	make_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ROBUST, 0);
	cross(lock_twice, set_lock, set_lock, lock_mutex);
}

static void mutex_and_critical(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		lock_mutex(NULL);
		meet(2);
		enter_door(NULL);
	} else {
#pragma omp critical(door)
		{
			meet(2);
			lock_mutex(NULL);
		}
	}
}

/* A lock, a mutex and a critical construct, each held by one thread and wanted by another. */
static void three_kinds(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 0) {
		set_lock(NULL);
		meet(3);
		enter_door(NULL);
	} else if (omp_get_thread_num() == 1) {
		lock_mutex(NULL);
		meet(3);
		set_lock(NULL);
	} else {
#pragma omp critical(door)
		{
			meet(3);
			lock_mutex(NULL);
		}
	}
}

static void mutex_at_barrier(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1)
			lock_mutex(NULL);
#pragma omp barrier
		if (omp_get_thread_num() == 2)
			lock_mutex(NULL);
#pragma omp barrier
	}
}

static void mutex_in_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		lock_mutex(NULL);
#pragma omp task
		{
			meet(2);
			lock_mutex(NULL);
		}
		meet(2);
#pragma omp taskwait
	}
}

static void mutex_twice(void)
{
	omp_get_thread_num();
	lock_mutex(NULL);
	lock_mutex(NULL);
}

static void mutex_of_ended(void)
{
	join(lock_mutex);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		lock_mutex(NULL);
}

/* A worker keeps it. */
static void mutex_of_idle(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		lock_mutex(NULL);
	lock_mutex(NULL);
}

/* The second iteration waits for its turn with what the first one wants. */
static void mutex_in_turn(void)
{
#pragma omp parallel for ordered num_threads(2) schedule(static, 1)
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			lock_mutex(NULL);
		meet(2);
		if (i == 0)
			lock_mutex(NULL);
#pragma omp ordered
		;
	}
}

static void writer_and_lock(void)
{
	cross(write_rwlock, set_lock, set_lock, read_rwlock);
}

static void two_writers(void)
{
	cross(write_rwlock, set_lock, set_lock, write_rwlock);
}

static void reader_and_lock(void)
{
	cross(read_rwlock, set_lock, set_lock, write_rwlock);
}

static void join_with_lock(void)
{
	set_lock(NULL);
	join(set_lock);
}

static void join_in_critical(void)
{
#pragma omp critical(door)
	join(enter_door);
}

static void *wait_with_other_mutex(void *unused)
{
	pthread_mutex_lock(&other_mutex);
	return wait_for_signal(unused);
}

static void *signal_with_other_mutex(void *unused)
{
	pthread_mutex_lock(&other_mutex);
	pthread_cond_signal(&ready);
	return unused;
}

/* Who would signal waits for a mutex of the one that waits for the signal. */
static void condition_with_mutex(void)
{
	one_after_the_other(wait_with_other_mutex, signal_with_other_mutex);
}

static void condition_of_nobody(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 1)
		wait_for_signal(NULL);
}

static void *wait_with_lock(void *unused)
{
	set_lock(unused);
	return wait_for_signal(unused);
}

static void *signal_then_lock(void *unused)
{
	lock_mutex(unused);
	pthread_cond_signal(&ready);
	return set_lock(unused);
}

/* The signal has come, but the mutex is held by a thread that waits for the lock. */
static void condition_and_lock(void)
{
	one_after_the_other(wait_with_lock, signal_then_lock);
}

/* Who would signal waits at the barrier that the one which waits for the signal should come to. */
static void condition_at_barrier(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			wait_for_signal(NULL);
#pragma omp barrier
		pthread_cond_signal(&ready);
	}
}

/* The only thread that could begin the task that would signal. */
static void condition_of_task(void)
{
	int value = 0;

#pragma omp parallel num_threads(1)
	{
#pragma omp task depend(out : value) untied
		{
			wait_for_signal(NULL);
			value++;
		}
#pragma omp task depend(in : value)
		pthread_cond_signal(&ready);
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

static act *handled;

static void handle(int signal)
{
	(void)signal;
	handled(NULL);
}

static void handler_with_own(act *take)
{
	handled = take;
	signal(SIGUSR1, handle);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		take(NULL);
		raise(SIGUSR1);
	}
}

static void handler_with_own_mutex(void)
{
	handler_with_own(lock_mutex);
}

static void handler_with_own_lock(void)
{
	handler_with_own(set_lock);
}

/* The handler interrupts a wait of OpenMP. */
static void handler_in_wait(void)
{
	pthread_t first = pthread_self();

	handled = lock_mutex;
	signal(SIGUSR1, handle);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			set_lock(NULL);
		} else {
			lock_mutex(NULL);
			let_others();
			pthread_kill(first, SIGUSR1);
			set_lock(NULL);
		}
#pragma omp barrier
	}
}

/* From here on no deadlock: a thread executes the program, or something else may act. */
static void places(void)
{
	omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(4)
	{
		if (omp_get_thread_num() == 0) {
			for (size_t i = 0; i < sizeof(given_back) / sizeof(given_back[0]); i++) {
				omp_set_lock(&given_back[i]);
				omp_unset_lock(&given_back[i]);
			}
			omp_set_lock(&lock);        /* takes the lock */
			omp_set_nest_lock(&nested); /* takes the nested one */
			omp_set_nest_lock(&nested);
#pragma omp critical(door) /* takes door */
			{
				meet(4);
				stay();
			}
		}
		meet(4);
		if (omp_get_thread_num() == 1)
			set_lock(NULL);
		else if (omp_get_thread_num() == 2)
			enter_door(NULL);
	}
}

static void busy_between(act *take, act *one, act *other)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0)
			take(NULL);
		meet(3);
		(omp_get_thread_num() == 0 ? work : omp_get_thread_num() == 1 ? one : other)(NULL);
	}
}

static void *take_both(void *unused)
{
	lock_mutex(unused);
	return set_lock(unused);
}

static void mutex_busy(void)
{
	busy_between(take_both, lock_mutex, set_lock);
}

static void writer_busy(void)
{
	busy_between(write_rwlock, read_rwlock, write_rwlock);
}

static void join_busy(void)
{
	set_lock(NULL);
	join(work);
}

/* A thread that OpenMP does not know may signal. */
static void condition_busy(void)
{
	pthread_t other;

	pthread_create(&other, NULL, work, NULL);
	condition_with_mutex();
}

static struct timespec late(void)
{
	struct timespec then = {0};

	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_sec += 1000;
	return then;
}

static void *lock_for_a_while(void *unused)
{
	struct timespec end = late();

	pthread_mutex_timedlock(&mutex, &end);
	return unused;
}

/* The call ends by itself after its time. */
static void mutex_for_a_while(void)
{
	cross(lock_mutex, set_lock, set_lock, lock_for_a_while);
}

static void *wait_for_a_while(void *unused)
{
	struct timespec end = late();

	pthread_mutex_lock(&other_mutex);
	pthread_mutex_lock(&mutex);
	pthread_cond_timedwait(&ready, &mutex, &end);
	return unused;
}

static void condition_for_a_while(void)
{
	one_after_the_other(wait_for_a_while, signal_with_other_mutex);
}

/* Another process may release it. */
static void shared_mutex(void)
{
	make_mutex(PTHREAD_MUTEX_NORMAL, 0, 0, PTHREAD_PROCESS_SHARED);
	mutex.__data.__lock = 2;
	mutex.__data.__owner = 1;
	one_after_the_other(lock_mutex, lock_mutex);
}

/* A signal handler may post it. */
static void semaphore_of_nobody(void)
{
	static sem_t semaphore;

	sem_init(&semaphore, 0, 0);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		sem_wait(&semaphore);
}

/* A thread at a barrier executes a handler, which may release the mutex. */
static void handler_busy(void)
{
	pthread_t first = pthread_self();

	handled = work;
	signal(SIGUSR1, handle);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			lock_mutex(NULL);
		} else {
			let_others();
			pthread_kill(first, SIGUSR1);
			lock_mutex(NULL);
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
    {"all-kinds-and-lock", all_kinds_and_lock}, {"mutex-and-critical", mutex_and_critical},
    {"three-kinds", three_kinds}, {"mutex-at-barrier", mutex_at_barrier},
    {"mutex-in-task", mutex_in_task}, {"mutex-twice", mutex_twice},
    {"mutex-of-ended", mutex_of_ended}, {"mutex-of-idle", mutex_of_idle},
    {"mutex-in-turn", mutex_in_turn}, {"writer-and-lock", writer_and_lock},
    {"two-writers", two_writers}, {"reader-and-lock", reader_and_lock},
    {"join-with-lock", join_with_lock}, {"join-in-critical", join_in_critical},
    {"condition-with-mutex", condition_with_mutex}, {"condition-of-nobody", condition_of_nobody},
    {"condition-and-lock", condition_and_lock}, {"condition-at-barrier", condition_at_barrier},
    {"condition-of-task", condition_of_task}, {"barrier-of-pthreads", barrier_of_pthreads},
    {"handler-with-own-mutex", handler_with_own_mutex},
    {"handler-with-own-lock", handler_with_own_lock}, {"handler-in-wait", handler_in_wait},
    {"places", places}, {"mutex-busy", mutex_busy}, {"writer-busy", writer_busy},
    {"join-busy", join_busy}, {"condition-busy", condition_busy},
    {"mutex-for-a-while", mutex_for_a_while}, {"condition-for-a-while", condition_for_a_while},
    {"shared-mutex", shared_mutex}, {"semaphore-of-nobody", semaphore_of_nobody},
    {"handler-busy", handler_busy}, {"busy-with-all", busy_with_all}, {NULL, NULL}};
