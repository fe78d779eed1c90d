/* SPDX-License-Identifier: BSD-3-Clause */
/* Who watches, the registered callbacks, when a tool is looked for, and unique numbers. */
#include "events.h"

#include <pthread.h>

#include "processor-code.h"
#include "tsan.h"

/* In lines of their own, away from words that threads write. */
RT_PADDED struct rt_watchers rt_watchers = {RT_BY_UNKNOWN};
RT_PADDED struct rt_events rt_events;

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
	return (load_acquire(&rt_watchers.bits) & RT_BY_UNKNOWN) != 0;
}

/*
 * Who sees what: threads that come while another thread starts the tool wait for the mutex, so that
 * none continues before it is known whether there are events. The bit is cleared last, with
 * release, and nothing sets it again. A thread that finds it clear sees all decisions, including
 * the plain words of the process, which it reads from then on.
 */
void rt_events_start(void)
{
	if (!start_is_pending() || is_starting)
		return;
	is_starting = true;
	pthread_mutex_lock(&starting);
	if (load_relaxed(&rt_watchers.bits) & RT_BY_UNKNOWN) {
		if (start_tool != NULL)
			start_tool();
		if (rt_tsan_is_present())
			rt_watch(RT_BY_SANITIZER);
		(void)and_release(&rt_watchers.bits, ~(uint32_t)RT_BY_UNKNOWN);
	}
	pthread_mutex_unlock(&starting);
	is_starting = false;
}

void rt_events_stop(void)
{
	if (rt_watched(RT_BY_TOOL) && stop_tool != NULL)
		stop_tool();
}

uint64_t rt_event_unique_id(void)
{
	return add_relaxed(&numbers, 1) + 1;
}
