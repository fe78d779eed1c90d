/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * While a thread waits for a critical, atomic or ordered region, or for a lock of OpenMP 2.5, it is
 * in the state of that wait, and the wait id is that of the events. The awaited thread continues
 * only when the waiter, interrupted by signals, has reported this.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "check.h"
#include "recorder.h"

static int has_begun, is_waiting;
static ompt_state_t wanted;
static uint64_t seen_wait;
static pthread_t waiter;

static void look(int signal)
{
	ompt_wait_id_t wait = 0;

	(void)signal;
	if (record_get_state(&wait) != (int)wanted)
		return;
	__atomic_store_n(&seen_wait, wait, __ATOMIC_RELAXED);
	raise_flag(&is_waiting);
}

static void begin(ompt_state_t state)
{
	has_begun = is_waiting = 0;
	wanted = state;
	seen_wait = 0;
	record_clear();
}

/* By the awaited thread, inside the region. */
static void hold(void)
{
	double deadline = check_deadline(10);

	raise_flag(&has_begun);
	while (!is_raised(&is_waiting, 1) && keep_waiting(deadline)) {
		/* It says who it is before it has begun. */
		if (is_raised(&has_begun, 2))
			pthread_kill(__atomic_load_n(&waiter, __ATOMIC_ACQUIRE), SIGUSR1);
		sched_yield();
	}
}

/* By the waiter, before it comes to the region. */
static void come(void)
{
	CHECK(await_flag(&has_begun, 1));
	__atomic_store_n(&waiter, pthread_self(), __ATOMIC_RELEASE);
	raise_flag(&has_begun);
}

static void check_wait(ompt_mutex_t kind)
{
	const struct record *record = record_find(0, ompt_callback_mutex_acquire, kind, 0);

	CHECK(is_raised(&is_waiting, 1));
	if (CHECK(record != NULL))
		CHECK_EQUAL(seen_wait, record->wait);
}

static void critical(void)
{
	begin(ompt_state_wait_critical);
#pragma omp parallel num_threads(2)
	{
		bool waits = omp_get_thread_num() == 1;
		if (waits)
			come();
#pragma omp critical(held)
		if (!waits)
			hold();
	}
	check_wait(ompt_mutex_critical);
}

/* In an order that the loop gives: the second iteration's region waits for the first one's. */
static void ordered(void)
{
	begin(ompt_state_wait_ordered);
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			come();
#pragma omp ordered
		if (i == 0)
			hold();
	}
	check_wait(ompt_mutex_ordered);
}

/* A nestable lock of OpenMP 2.5, which is not built of the others' mutex. */
static void old_lock(void)
{
	static uint64_t nest;
	void (*set)(void *) = dlvsym(RTLD_DEFAULT, "omp_set_nest_lock", "OMP_1.0");
	void (*unset)(void *) = dlvsym(RTLD_DEFAULT, "omp_unset_nest_lock", "OMP_1.0");

	begin(ompt_state_wait_lock);
#pragma omp parallel num_threads(2)
	{
		bool waits = omp_get_thread_num() == 1;
		if (waits)
			come();
		set(&nest);
		if (!waits)
			hold();
		unset(&nest);
	}
	CHECK_EQUAL(seen_wait, (uintptr_t)&nest);
	check_wait(ompt_mutex_nest_lock);
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	signal(SIGUSR1, look);
	critical();
	ordered();
	old_lock();
	return check_result();
}
