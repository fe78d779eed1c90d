/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Condition variables of POSIX. A wait with a limit may end at its limit, and any wait may end
 * without a reason, as often as the harness allows. All other calls about threads that order
 * nothing have no effect in a run.
 */
#include "engine.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void step(const char *what, const void *condition, const void *place)
{
	thread_note(OP_ORDERS, (uintptr_t)condition);
	report_step(what, memory_order_relaxed, (uintptr_t)condition, 0, place);
}

/* The caller counts as a sleeper from the beginning of its wait, before it releases the mutex. */
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int early, const void *place)
{
	bool ends_early;

	thread_turn(OP_ORDERS, (uintptr_t)condition, false);
	ends_early = kernel_wakes_without_reason();
	step(ends_early ? "condition wait ends by itself" : "condition wait", condition, place);
	if (!ends_early)
		check_self->sleeps_at = (uintptr_t)condition;
	kernel_unlock((uintptr_t)mutex);
	if (check_self->sleeps_at == (uintptr_t)condition)
		thread_sleep((uintptr_t)condition, "for a condition");
	kernel_lock((uintptr_t)mutex);
	return ends_early ? early : 0;
}

static int wake(pthread_cond_t *condition, bool all, const void *place)
{
	struct thread *sleepers[CHECK_THREADS];
	uint32_t count;

	thread_turn(OP_ORDERS, (uintptr_t)condition, false);
	step(all ? "condition broadcast" : "condition signal", condition, place);
	if (all)
		thread_wake_all((uintptr_t)condition);
	else if ((count = thread_find_sleepers((uintptr_t)condition, sleepers)) > 0)
		thread_wake(sleepers[search_choose(count)]);
	return 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	if (check_self == NULL)
		return pthread_cond_wait(condition, mutex);
	return wait(condition, mutex, 0, __builtin_return_address(0));
}

int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
    clockid_t clock, const struct timespec *limit);
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
    clockid_t clock, const struct timespec *limit)
{
	if (check_self == NULL)
		return pthread_cond_clockwait(condition, mutex, clock, limit);
	return wait(condition, mutex, ETIMEDOUT, __builtin_return_address(0));
}

int __wrap_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_signal(pthread_cond_t *condition)
{
	if (check_self == NULL)
		return pthread_cond_signal(condition);
	return wake(condition, false, __builtin_return_address(0));
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition)
{
	if (check_self == NULL)
		return pthread_cond_broadcast(condition);
	return wake(condition, true, __builtin_return_address(0));
}

int __wrap_pthread_detach(pthread_t thread);
int __wrap_pthread_detach(pthread_t thread)
{
	return check_self == NULL ? pthread_detach(thread) : 0;
}

int __wrap_pthread_setname_np(pthread_t thread, const char *name);
int __wrap_pthread_setname_np(pthread_t thread, const char *name)
{
	return check_self == NULL ? pthread_setname_np(thread, name) : 0;
}

int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	return check_self == NULL ? pthread_sigmask(how, set, before) : 0;
}

int __wrap_pthread_setcancelstate(int state, int *before);
int __wrap_pthread_setcancelstate(int state, int *before)
{
	if (check_self == NULL)
		return pthread_setcancelstate(state, before);
	if (before != NULL)
		*before = PTHREAD_CANCEL_ENABLE;
	return 0;
}

int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	return check_self == NULL ? pthread_atfork(prepare, parent, child) : 0;
}
