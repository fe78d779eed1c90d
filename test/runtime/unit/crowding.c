/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits are short while more of the runtime's workers are awake than there are processors beside a
 * thread of the program, and for a time after that; workers count as awake from their begin to
 * their end, except while they sleep, also in a child of fork().
 */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "process.h"
#include "wait.h"

enum { FEW = 192, PROCESSORS = 2, TRIES = 1000, LASTS_NS = 1000000 };

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags);
int omp_get_thread_num(void);

static uint64_t pauses(void)
{
	struct rt_spin spin = rt_spin_begin(RT_SHORTAGE_NONE);

	while (rt_spin_again(&spin))
		;
	return spin.turns;
}

/* A busy machine may end a wait by the time that it took. */
static bool is_long_sometimes(void)
{
	for (int i = 0; i < TRIES; i++)
		if (pauses() > FEW)
			return true;
	return false;
}

static bool is_never_long(void)
{
	for (int i = 0; i < TRIES; i++)
		if (pauses() > FEW)
			return false;
	return true;
}

static void check_waits(void)
{
	store_relaxed(&rt_process.running_threads, PROCESSORS);
	CHECK(is_long_sometimes());
	store_relaxed(&rt_process.awake_workers, PROCESSORS - 1);
	CHECK(is_long_sometimes());
	store_relaxed(&rt_process.awake_workers, PROCESSORS);
	CHECK(is_never_long());
	/* It lasts, counted from before the last wait, whenever the thread is here; but not for
	 * ever. */
	uint64_t begun = rt_now_ns();
	CHECK(pauses() <= FEW);
	store_relaxed(&rt_process.awake_workers, 0);
	CHECK(load_relaxed(&rt_process.crowded_until) > begun + LASTS_NS);
	while (load_relaxed(&rt_process.crowded_until) > rt_now_ns())
		sched_yield();
	CHECK(is_long_sometimes());
	/* If the user set how to wait, that holds. */
	rt_process.spin_ns = UINT64_MAX;
	rt_process.spin_count = 10 * FEW;
	store_relaxed(&rt_process.awake_workers, PROCESSORS);
	CHECK_EQUAL(pauses(), 10 * FEW);
	rt_process.spin_ns = RT_SPIN_LONGEST_NS;
	rt_process.spin_count = RT_SPIN_DEFAULT;
	store_relaxed(&rt_process.awake_workers, 0);
}

static uint32_t awake(void)
{
	return load_relaxed(&rt_process.awake_workers);
}

/* Workers sleep, and end, some time after the region. */
static void wait_until_none_is_awake(void)
{
	while (awake() != 0)
		sched_yield();
}

static uint32_t awake_in_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit((int)awake());
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	return (uint32_t)WEXITSTATUS(status);
}

static void look(void *most)
{
	if (omp_get_thread_num() == 1) {
		*(uint32_t *)most = awake();
		CHECK_EQUAL(awake_in_child(), 1);
	}
}

static void *own_root(void *most)
{
	GOMP_parallel(look, most, 2, 0);
	return NULL;
}

/* The thread that forked the region has another one fork a region meanwhile. */
static void look_beside(void *most)
{
	pthread_t thread;

	if (omp_get_thread_num() != 1)
		return;
	CHECK_EQUAL(pthread_create(&thread, NULL, own_root, most), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
}

static void check_count(void)
{
	uint32_t most = 0;

	GOMP_parallel(look, &most, 2, 0);
	CHECK_EQUAL(most, 1);
	wait_until_none_is_awake();
	CHECK_EQUAL(awake_in_child(), 0);
	GOMP_parallel(look_beside, &most, 2, 0);
	CHECK_EQUAL(most, 2);
	wait_until_none_is_awake();
}

int main(void)
{
	/* The settings are read by the first call, and constant when there are threads. */
	CHECK_EQUAL(omp_get_thread_num(), 0);
	check_waits();
	check_count();
	return check_result();
}
