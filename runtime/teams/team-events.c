/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tool sees of threads, parallel regions, implicit tasks and barriers (OpenMP 5.2, 10.1,
 * 10.2, 15.3). The order of the events of a region:
 *
 *	parallel-begin                     the thread that encounters it
 *	  implicit-task-begin              each member
 *	    ... implicit barrier, with the wait in it
 *	  implicit-task-end                each member, after all have arrived at the barrier
 *	parallel-end                       the thread that encountered it, after all members' events
 *
 * So a tool may free what it keeps for a region when parallel-end comes.
 */
#include "team-events.h"

#include "affinity.h"
#include "shared/precondition.h"
#include "work-events.h"

void rt_tool_begin_initial_thread(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_place_initial(self); /* ompt_get_place_num() cannot do it in a signal handler */
	rt_emit_thread_begin(ompt_thread_initial, &self->tool.data);
	rt_tool_begin_initial_task(self, 1, 1);
}

void rt_tool_end_initial_thread(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_tool_end_initial_task(self, 1);
	rt_emit_thread_end(&self->tool.data);
}

void rt_tool_begin_initial_task(struct rt_thread *self, uint32_t parallelism, uint32_t index)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_task *task = self->task;

	rt_task_tool_init(task, ompt_task_initial);
	rt_emit_implicit_task(ompt_scope_begin, &self->team->tool.data, &task->tool.data,
	    parallelism, index, ompt_task_initial);
}

void rt_tool_end_initial_task(struct rt_thread *self, uint32_t index)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_work_close_all(self);
	rt_emit_implicit_task(
	    ompt_scope_end, NULL, &self->task->tool.data, 0, index, ompt_task_initial);
	self->task->tool.flags = 0; /* as in rt_tool_end_implicit_task() */
}

void rt_tool_begin_region(
    struct rt_thread *self, struct rt_team *team, rt_region_fn *fn, uint32_t requested, int flags)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_task *task = self->task;

	team->tool =
	    (struct rt_team_tool){.codeptr = self->tool.codeptr, .code = fn, .flags = flags};
	self->tool.code = fn;
	rt_task_set_enter_frame(task, self->tool.frame);
	self->tool.begins_region = true;
	rt_emit_parallel_begin(&task->tool.data, &task->tool.frame, &team->tool.data, requested,
	    flags, team->tool.codeptr);
	self->tool.begins_region = false;
}

void rt_tool_end_region(struct rt_thread *self, struct rt_team *team)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_task *task = self->task;

	rt_emit_parallel_end(
	    &team->tool.data, &task->tool.data, team->tool.flags, team->tool.codeptr);
	rt_task_set_enter_frame(task, NULL);
}

void rt_tool_begin_implicit_task(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_team *team = self->team;
	struct rt_task *task = self->task;

	rt_task_tool_init(task, ompt_task_implicit);
	rt_emit_implicit_task(ompt_scope_begin, &team->tool.data, &task->tool.data, team->size,
	    self->number, ompt_task_implicit);
}

void rt_tool_end_implicit_task(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_emit_implicit_task(
	    ompt_scope_end, NULL, &self->task->tool.data, 0, self->number, ompt_task_implicit);
	self->task->tool.flags = 0; /* for a tool that asks, the thread is now in no region */
}

void rt_tool_call_region(struct rt_thread *self, rt_region_fn *fn, void *data)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_task *task = self->task;

	rt_task_note_exit_frame(task);
	fn(data);
	rt_task_set_exit_frame(task, NULL);
}

static uint32_t state_of(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_implicit_parallel:
		return ompt_state_wait_barrier_implicit_parallel;
	case ompt_sync_region_barrier_implicit_workshare:
		return ompt_state_wait_barrier_implicit_workshare;
	case ompt_sync_region_barrier_implementation:
		return ompt_state_wait_barrier_implementation;
	default:
		return ompt_state_wait_barrier_explicit;
	}
}

struct rt_barrier_events rt_tool_begin_barrier(
    struct rt_thread *self, ompt_sync_region_t kind, const void *codeptr)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_barrier_events events = {kind, self->tool.barrier_state, codeptr};
	ompt_data_t *parallel = &self->team->tool.data, *task = &self->task->tool.data;

	self->tool.barrier_state = state_of(kind);
	rt_emit_sync_region(kind, ompt_scope_begin, parallel, task, codeptr);
	rt_emit_sync_region_wait(kind, ompt_scope_begin, parallel, task, codeptr);
	return events;
}

/* The region is over for the member when the barrier at its end is over (19.5.2.13). */
void rt_tool_end_barrier(struct rt_thread *self, const struct rt_barrier_events *events)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	ompt_data_t *parallel = &self->team->tool.data, *task = &self->task->tool.data;
	ompt_sync_region_t kind = events->kind;
	bool is_last = kind == ompt_sync_region_barrier_implicit_parallel;

	rt_emit_sync_region_wait(kind, ompt_scope_end, parallel, task, events->codeptr);
	rt_emit_sync_region(kind, ompt_scope_end, is_last ? NULL : parallel, task, events->codeptr);
	self->tool.barrier_state = events->outer_state;
}
