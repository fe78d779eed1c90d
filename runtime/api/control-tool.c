/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_control_tool() (OpenMP 5.2, 18.14), which passes a command of the program to its tool. */
#include "events.h"
#include "initial-thread.h"
#include "omp-api.h"
#include "task.h"
#include "versions.h"

enum { NO_TOOL = -2 }; /* omp_control_tool_notool; no callback: see rt_emit_control_tool() */

static int control(int command, int modifier, void *argument, const void *codeptr, void *frame)
{
	struct rt_thread *self = rt_self();
	struct rt_task *task = self->task;
	int answer;

	if (!rt_events_any(RT_EVENT_BIT(RT_TOOL_ATTACHED)))
		return NO_TOOL;
	rt_task_set_enter_frame(task, frame);
	answer = rt_emit_control_tool((uint64_t)command, (uint64_t)modifier, argument, codeptr);
	rt_task_set_enter_frame(task, NULL);
	return answer;
}

ROUTINE(int, omp_control_tool, (int command, int modifier, void *argument))
{
	return control(command, modifier, argument, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());
}

/*
 * Fortran's form, by reference and without an argument for the tool; a command always has four
 * bytes.
 */
ROUTINE(int32_t, omp_control_tool_, (const int32_t *command, const int32_t *modifier))
{
	return control(*command, *modifier, NULL, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());
}

ROUTINE(int32_t, omp_control_tool_8_, (const int32_t *command, const int64_t *modifier))
{
	return control(*command, (int)*modifier, NULL, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());
}
