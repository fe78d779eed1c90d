/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constructor of the library. There is no destructor: the library is linked with -z nodelete,
 * since dlclose() by the last user must not unmap code in which threads wait. When the process
 * ends, its threads continue to sleep, and what they use stays for code of the program that runs
 * later.
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
	rt_tool_note_folder();
	rt_race_begin();
	if (rt_process.display_env != RT_DISPLAY_FALSE)
		rt_environment_display(rt_process.display_env == RT_DISPLAY_VERBOSE);
	rt_events_start_with(rt_tool_start, rt_tool_finalize);
	rt_debug_start();
	rt_threads.loader = rt_debug_mark_locks(); /* it may take locks before it has a record */
	pthread_atfork(NULL, NULL, rt_thread_after_fork);
	rt_callbacks_follow_forks();
	rt_acc_load_tools(rt_process.acc_tools);
}
