/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process ends while the workers of its teams wait for the next region: they stay asleep, and
 * what the program would do at their end does not happen, as with libgomp. So it does not matter
 * which locks the ending thread holds. Handlers and destructors of the program have their regions.
 * A thread of the program that ends by itself takes its workers with it.
 */
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>

#include "check.h"

enum { THREADS = 4, STATUS = 42, STATUS_OF_WORKER = 5, STATUS_OF_REGION = 6 };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int ended;         /* workers whose destructor was called */
static bool is_ending;    /* no destructor may be called from now on */
static bool late_regions; /* the destructor of the program has one */

static void at_end_of_thread(void *unused)
{
	(void)unused;
	if (__atomic_load_n(&is_ending, __ATOMIC_RELAXED))
		_exit(STATUS_OF_WORKER);
	pthread_mutex_lock(&held);
	count(&ended);
	pthread_mutex_unlock(&held);
}

static void region(void)
{
	int members = 0;

#pragma omp parallel num_threads(THREADS) reduction(+ : members)
	{
		members++;
		if (omp_get_thread_num() != 0)
			pthread_setspecific(key, &members);
	}
	if (members != THREADS)
		_exit(STATUS_OF_REGION);
}

static void nested_regions(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	region();
}

static void lock(void)
{
	__atomic_store_n(&is_ending, true, __ATOMIC_RELAXED);
	pthread_mutex_lock(&held);
}

static void lock_and_exit(void)
{
	region();
	nested_regions();
	lock();
	exit(STATUS);
}

static void lock_at_exit(void)
{
	atexit(lock);
	region();
	exit(STATUS);
}

static void have_region_at_exit(void)
{
	atexit(region);
	region();
	atexit(region);
	lock();
	exit(STATUS);
}

static void have_region_in_destructor(void)
{
	late_regions = true;
	lock_and_exit();
}

/* Of 101: before the runtime's own, were there one. */
__attribute__((destructor(101))) static void late(void)
{
	if (!late_regions)
		return;
	region();
	nested_regions();
}

static void end_quickly(void)
{
	at_quick_exit(region);
	region();
	lock();
	quick_exit(STATUS);
}

static void *exit_from_thread(void *unused)
{
	(void)unused;
	lock_and_exit();
	return NULL;
}

static void exit_from_other_thread(void)
{
	pthread_t thread;

	region();
	if (pthread_create(&thread, NULL, exit_from_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

static void exit_from_child(void)
{
	int status = -1;
	pid_t child;

	region();
	child = fork();
	lock();
	if (child == 0)
		exit(STATUS);
	waitpid(child, &status, 0);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void *have_region(void *unused)
{
	(void)unused;
	region();
	return NULL;
}

static void end_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, have_region, NULL) == 0)
		pthread_join(thread, NULL);
	if (__atomic_load_n(&ended, __ATOMIC_RELAXED) != THREADS - 1)
		exit(1);
	lock_and_exit();
}

static void (*const ways[])(void) = {lock_and_exit, lock_at_exit, have_region_at_exit,
    have_region_in_destructor, end_quickly, exit_from_other_thread, exit_from_child, end_thread};

int main(void)
{
	pthread_key_create(&key, at_end_of_thread);
	omp_set_dynamic(0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pid_t child = fork();
		int status = -1;

		if (child == 0) {
			check_alarm(20);
			ways[i]();
			_exit(3); /* came back */
		}
		CHECK_EQUAL(waitpid(child, &status, 0), child);
		if (!CHECK(WIFEXITED(status)) || !CHECK_EQUAL(WEXITSTATUS(status), STATUS))
			fprintf(stderr, "way %zu: wait status %#x\n", i, (unsigned)status);
	}
	return check_result();
}
