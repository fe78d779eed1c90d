/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of a tool, here of none: threads that come while another one decides that there are no
 * events wait for it, and see what was decided. Two threads, complete.
 */
#include "check.h"
#include "events.h"

static void begin(void *argument)
{
	(void)argument;
	rt_events_start();
	CHECK(!rt_events_any(RT_EVENT_BIT(RT_TOOL_PENDING)));
	CHECK(!rt_events.active);
}

static void run(void)
{
	rt_events_start_with(NULL, NULL);
	rt_events.active = true;
	store_relaxed(&rt_events.set, RT_EVENT_BIT(RT_TOOL_PENDING));
	check_start(begin, NULL);
	begin(NULL);
	check_join();
}
HARNESS(tool_start_of_none, "two threads find that there is no tool") = {.run = run};
