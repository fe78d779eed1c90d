/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registering callbacks (OpenMP 5.2, 19.6.3 and 19.6.4). The result of a registration says exactly
 * how often the callback comes, because code of gcc does not call the runtime for every event.
 */
#include "callbacks.h"

#include <pthread.h>

#include "events.h"
#include "mutex.h"
#include "shared/precondition.h"

/*
 * The mutex orders threads that register, publish and withdraw callbacks. What a thread registers
 * is published, by that thread or with the rest, and nothing that was withdrawn comes back. The
 * mutex guards what the tool has registered, and the bits of rt_events.set while there is a tool.
 */
static struct rt_mutex mutex;
static uint64_t wanted;
static bool withdrawn;

static void lock(void)
{
	rt_mutex_lock_inside(&mutex);
}

static void unlock(void)
{
	rt_mutex_unlock_inside(&mutex);
}

/* In a forked child no other thread holds the mutex. */
void rt_callbacks_follow_forks(void)
{
	pthread_atfork(lock, unlock, unlock);
}

/* The results of ompt_set_callback(); 0: there is no callback of this number. */
static const uint8_t answers[RT_CALLBACKS] = {
    [ompt_callback_thread_begin] = ompt_set_always,
    [ompt_callback_thread_end] = ompt_set_always,
    [ompt_callback_parallel_begin] = ompt_set_always,
    [ompt_callback_parallel_end] = ompt_set_always,
    [ompt_callback_task_create] = ompt_set_always,
    [ompt_callback_task_schedule] = ompt_set_always,
    [ompt_callback_implicit_task] = ompt_set_always,
    /* There is no device but the host: */
    [ompt_callback_device_initialize] = ompt_set_never,
    [ompt_callback_device_finalize] = ompt_set_never,
    [ompt_callback_device_load] = ompt_set_never,
    [ompt_callback_device_unload] = ompt_set_never,
    [ompt_callback_target] = ompt_set_always,
    [ompt_callback_target_submit] = ompt_set_always,
    [ompt_callback_target_emi] = ompt_set_always,
    [ompt_callback_target_submit_emi] = ompt_set_always,
    /* The host shares the program's memory: only routines do something with it. */
    [ompt_callback_target_data_op] = ompt_set_sometimes,
    [ompt_callback_target_data_op_emi] = ompt_set_sometimes_paired,
    [ompt_callback_target_map] = ompt_set_never,
    [ompt_callback_target_map_emi] = ompt_set_never,
    [ompt_callback_control_tool] = ompt_set_always,
    [ompt_callback_sync_region_wait] = ompt_set_always,
    [ompt_callback_sync_region] = ompt_set_always,
    /* Most atomic constructs are instructions: */
    [ompt_callback_mutex_released] = ompt_set_sometimes,
    [ompt_callback_mutex_acquire] = ompt_set_sometimes,
    [ompt_callback_mutex_acquired] = ompt_set_sometimes,
    [ompt_callback_nest_lock] = ompt_set_always,
    [ompt_callback_lock_init] = ompt_set_always,
    [ompt_callback_lock_destroy] = ompt_set_always,
    [ompt_callback_dependences] = ompt_set_always,
    [ompt_callback_task_dependence] = ompt_set_always,
    [ompt_callback_cancel] = ompt_set_always,
    [ompt_callback_error] = ompt_set_always,
    /* Before GCC 17 loops with a static schedule make no call: */
    [ompt_callback_work] = ompt_set_sometimes_paired,
    [ompt_callback_dispatch] = ompt_set_sometimes,
    [ompt_callback_reduction] = ompt_set_sometimes_paired,
    /* A comparison in the program's code, except for GCC 17's with -fopenmp-ompt: */
    [ompt_callback_masked] = ompt_set_sometimes_paired,
    /* Compiled to an instruction: */
    [ompt_callback_flush] = ompt_set_sometimes,
};

static bool is_known(ompt_callbacks_t callback)
{
	return (unsigned)callback < RT_CALLBACKS && answers[callback] != 0;
}

/* Has an effect only once the tool is published: other threads read the word at any time. */
static void change_set(uint64_t bit, bool is_set)
{
	CHECK(rt_mutex_is_held(&mutex), "the mutex is held");

	uint64_t set = load_relaxed(&rt_events.set);

	if (set & RT_EVENT_BIT(RT_TOOL_ATTACHED))
		store_release(&rt_events.set, is_set ? set | bit : set & ~bit);
}

/*
 * The callback is stored before its bit is set, release. It stays stored when the bit is cleared,
 * because another thread may be about to call it.
 */
ompt_set_result_t rt_callback_set(ompt_callbacks_t callback, ompt_callback_t function)
{
	ompt_set_result_t result = ompt_set_error;
	uint64_t bit;

	if (!is_known(callback))
		return result;
	bit = RT_EVENT_BIT(callback);
	lock();
	if (!withdrawn) {
		if (function != NULL)
			store_release(&rt_events.callbacks[callback], function);
		wanted = function != NULL ? wanted | bit : wanted & ~bit;
		change_set(bit, function != NULL);
		result = function != NULL ? answers[callback] : ompt_set_always;
	}
	unlock();
	return result;
}

int rt_callback_get(ompt_callbacks_t callback, ompt_callback_t *function)
{
	ompt_callback_t found = NULL;

	if (is_known(callback)) {
		lock();
		if (wanted & RT_EVENT_BIT(callback))
			found = load_relaxed(&rt_events.callbacks[callback]);
		unlock();
	}
	if (function != NULL)
		*function = found;
	return found != NULL;
}

void rt_callbacks_publish(void)
{
	lock();
	store_release(&rt_events.set, wanted | RT_EVENT_BIT(RT_TOOL_ATTACHED));
	unlock();
}

bool rt_callbacks_withdraw(void)
{
	bool is_first;

	lock();
	is_first = !withdrawn;
	withdrawn = true;
	if (is_first) {
		wanted = 0;
		store_release(&rt_events.set, 0);
	}
	unlock();
	return is_first;
}
