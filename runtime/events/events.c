/* SPDX-License-Identifier: BSD-3-Clause */
/* The registered callbacks, the time at which a tool is looked for, and unique numbers. */
#include "events.h"

#include <pthread.h>

#include "processor-code.h"
#include "tsan.h"

struct rt_events rt_events = {
    .active = true, .watch_mutexes = true, .set = RT_EVENT_BIT(RT_TOOL_PENDING)};

static void (*start_tool)(void), (*stop_tool)(void);
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_starting PROCESSOR_THREAD_LOCAL;
static _Atomic uint64_t numbers;

void rt_events_start_with(void (*start)(void), void (*stop)(void))
{
	start_tool = start;
	stop_tool = stop;
}

/* Acquire, pairs with the release that clears the bit; see below. */
static bool start_is_pending(void)
{
	return (load_acquire(&rt_events.set) & RT_EVENT_BIT(RT_TOOL_PENDING)) != 0;
}

/*
 * Who sees what: threads that come while another thread starts the tool wait for the mutex, so that
 * none continues before it is known whether there are events. start_tool() or this function clears
 * the bit last, with release, and nothing sets it again. A thread that finds it clear sees all
 * decisions, including the plain words of the process, which it reads from then on.
 */
void rt_events_start(void)
{
	if (!start_is_pending() || is_starting)
		return;
	is_starting = true;
	pthread_mutex_lock(&starting);
	if (rt_events_any(RT_EVENT_BIT(RT_TOOL_PENDING))) {
		if (start_tool != NULL)
			start_tool();
		if (rt_events_any(RT_EVENT_BIT(RT_TOOL_PENDING))) {
			rt_events.active = false;
			rt_events.watch_mutexes = rt_tsan_is_present();
			store_release(&rt_events.set, 0);
		}
	}
	pthread_mutex_unlock(&starting);
	is_starting = false;
}

void rt_events_stop(void)
{
	if (rt_events.active && stop_tool != NULL)
		stop_tool();
}

uint64_t rt_event_unique_id(void)
{
	return add_relaxed(&numbers, 1) + 1;
}
