/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registering callbacks (OpenMP 5.2, 19.6.3 and 19.6.4), and the honest answer to it: of code that
 * gcc has compiled a runtime sees only what calls it.
 */
#include "callbacks.h"

#include "events.h"

/* What the tool has registered; published with the tool. */
static _Atomic uint64_t wanted;
static _Atomic uint32_t withdrawn;

/* What ompt_set_callback() answers; 0: no callback of this number is known. */
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
    /* It shares the program's memory: only routines do something with that. */
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
    /* A comparison in the program's code, but for GCC 17's with -fopenmp-ompt: */
    [ompt_callback_masked] = ompt_set_sometimes_paired,
    /* Compiled to an instruction: */
    [ompt_callback_flush] = ompt_set_sometimes,
};

static bool is_known(ompt_callbacks_t callback)
{
	return (unsigned)callback < RT_CALLBACKS && answers[callback] != 0;
}

/*
 * The callback is stored before its bit is set, release, and stays when the bit is cleared: another
 * thread may be about to call it.
 */
ompt_set_result_t rt_callback_set(ompt_callbacks_t callback, ompt_callback_t function)
{
	uint64_t bit;

	if (!is_known(callback) || load_acquire(&withdrawn) != 0)
		return ompt_set_error;
	bit = RT_EVENT_BIT(callback);
	if (function != NULL)
		store_release(&rt_events.callbacks[callback], function);
	if (function != NULL)
		or_sequential(&wanted, bit);
	else
		and_sequential(&wanted, ~bit);
	if (rt_events_any(RT_EVENT_BIT(RT_TOOL_ATTACHED))) {
		if (function != NULL)
			or_sequential(&rt_events.set, bit);
		else
			and_sequential(&rt_events.set, ~bit);
	}
	return function != NULL ? answers[callback] : ompt_set_always;
}

int rt_callback_get(ompt_callbacks_t callback, ompt_callback_t *function)
{
	ompt_callback_t found = NULL;

	if (is_known(callback) && (load_acquire(&wanted) & RT_EVENT_BIT(callback)))
		found = load_acquire(&rt_events.callbacks[callback]);
	if (function != NULL)
		*function = found;
	return found != NULL;
}

void rt_callbacks_publish(void)
{
	store_release(&rt_events.set, load_acquire(&wanted) | RT_EVENT_BIT(RT_TOOL_ATTACHED));
}

bool rt_callbacks_withdraw(void)
{
	if (exchange_acq_rel(&withdrawn, 1) != 0)
		return false;
	store_sequential(&wanted, 0);
	store_sequential(&rt_events.set, 0);
	return true;
}
