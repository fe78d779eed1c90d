/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's beginning and end. It is linked with -z nodelete: dlclose() by the last user must
 * not unmap code that threads are waiting in.
 */
#include <pthread.h>

#include "callbacks.h"
#include "debug.h"
#include "environment.h"
#include "events.h"
#include "finalize.h"
#include "initial-thread.h"
#include "process.h"
#include "profile.h"
#include "race.h"
#include "start.h"
#include "thread.h"

__attribute__((constructor)) static void begin(void)
{
	rt_environment_read();
	rt_race_begin();
	if (rt_process.display_env != RT_DISPLAY_FALSE)
		rt_environment_display(rt_process.display_env == RT_DISPLAY_VERBOSE);
	rt_events_start_with(rt_tool_start, rt_tool_finalize);
	rt_debug_start();
	rt_threads.loader = rt_debug_mark_locks(); /* it may take some before it has a record */
	pthread_atfork(NULL, NULL, rt_thread_after_fork);
	rt_callbacks_follow_forks();
	rt_acc_load_tools(rt_process.acc_tools);
}

/*
 * Ends the pool of the thread that ends the process, unless it does so inside a region, where its
 * team is still at work. Other threads end theirs when they end themselves; while there are any
 * they may begin regions, so the settings stay.
 */
__attribute__((destructor)) static void end(void)
{
	if (rt_current != NULL)
		rt_thread_leave(rt_current);
	if (!rt_threads_remain()) {
		rt_acc_drop_tools();
		rt_environment_finish();
	}
}
