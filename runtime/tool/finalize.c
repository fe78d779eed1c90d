/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool's finalizer, which is called when the process ends or when the tool asks for it. */
#include "finalize.h"

#include "callbacks.h"
#include "initial-thread.h"
#include "shared/precondition.h"

static ompt_start_tool_result_t *tool;

void rt_tool_finalize_with(ompt_start_tool_result_t *started)
{
	CHECK(started != NULL, "a tool is attached");
	tool = started;
}

void rt_tool_finalize(void)
{
	if (tool != NULL && rt_callbacks_withdraw() && tool->finalize != NULL)
		tool->finalize(&tool->tool_data);
}

void rt_tool_finalize_itself(void)
{
	rt_thread_end_events();
	rt_tool_finalize();
}
