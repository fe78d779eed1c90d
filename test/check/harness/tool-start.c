/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of a tool, or of none: threads that come while another thread decides which events
 * there are wait for it, and see its decision. Two threads, complete.
 */
#include "callbacks.h"
#include "check.h"
#include "events.h"

static void begin(void *argument)
{
	(void)argument;
	rt_events_start();
	EXPECT(!rt_watched(RT_AT_ROUTINES));
}

static void run(void)
{
	rt_events_start_with(NULL, NULL);
	store_relaxed(&rt_watchers.bits, RT_BY_UNKNOWN);
	check_start(begin, NULL);
	begin(NULL);
	check_join();
}
HARNESS(tool_start_of_none, "two threads find that there is no tool") = {.run = run};

/* What a tool's start leaves behind, in whichever of its stores another thread finds it. */
static uint32_t stores;

static void start_tool(void)
{
	rt_watch(RT_BY_TOOL);
	rt_callbacks_publish();
	if (stores > 0)
		rt_callback_set(ompt_callback_flush, (ompt_callback_t)start_tool);
	if (stores > 1)
		rt_callbacks_withdraw();
}

static void find_tool(void *argument)
{
	(void)argument;
	rt_events_start();
	EXPECT(rt_watched(RT_BY_TOOL) && !rt_watched(RT_BY_UNKNOWN));
}

static void run_tool(void)
{
	stores = check_choose(3);
	rt_events_start_with(start_tool, NULL);
	store_relaxed(&rt_watchers.bits, RT_BY_UNKNOWN);
	check_start(find_tool, NULL);
	find_tool(NULL);
	check_join();
}
HARNESS(tool_start_of_one, "one thread starts a tool, another one finds it started") = {
    .run = run_tool};
