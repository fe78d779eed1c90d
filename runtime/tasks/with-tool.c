/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events that a tool sees around tasking constructs. Those of a task's own life (create,
 * schedule, dependence) are emitted where the task is made and executed. Each function here keeps
 * its own copy of where the program called the runtime, because the calling thread may execute
 * other tasks before the function returns.
 */
#include "with-tool.h"

#include "depend.h"
#include "shared/precondition.h"
#include "taskloop.h"
#include "team.h"

/* Returns the address in the program's code to which the entry point returns. */
static const void *enter(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_task_set_enter_frame(self->task, self->tool.frame);
	return self->tool.codeptr;
}

static void leave(struct rt_thread *self)
{
	rt_task_set_enter_frame(self->task, NULL);
}

static void show_region(struct rt_thread *self, ompt_sync_region_t kind,
    ompt_scope_endpoint_t endpoint, const void *codeptr)
{
	rt_emit_sync_region(
	    kind, endpoint, &self->team->tool.data, &self->task->tool.data, codeptr);
}

static void show_wait(struct rt_thread *self, ompt_sync_region_t kind,
    ompt_scope_endpoint_t endpoint, const void *codeptr)
{
	rt_emit_sync_region_wait(
	    kind, endpoint, &self->team->tool.data, &self->task->tool.data, codeptr);
}

void rt_task_generate_with_tool(struct rt_thread *self, const struct rt_task_request *request)
{
	struct rt_task_request with_site = *request;

	with_site.site = enter(self);
	rt_task_generate(self, &with_site);
	leave(self);
}

void rt_task_wait_with_tool(struct rt_thread *self)
{
	const void *codeptr = enter(self);

	show_region(self, ompt_sync_region_taskwait, ompt_scope_begin, codeptr);
	show_wait(self, ompt_sync_region_taskwait, ompt_scope_begin, codeptr);
	rt_task_wait(self);
	show_wait(self, ompt_sync_region_taskwait, ompt_scope_end, codeptr);
	show_region(self, ompt_sync_region_taskwait, ompt_scope_end, codeptr);
	leave(self);
}

/* To a tool the construct is an included task without code: OpenMP 5.2, 15.5. */
void rt_task_wait_depend_with_tool(struct rt_thread *self, void **depend)
{
	const void *codeptr = enter(self);
	struct rt_task_tool *tool = &self->task->tool;
	ompt_data_t word = {0};

	rt_emit_task_create(&tool->data, &tool->frame, &word,
	    ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable, true, codeptr);
	rt_depend_show(&word, depend);
	rt_task_wait_depend(self, depend, &word);
	rt_emit_task_schedule(&word, ompt_taskwait_complete, NULL);
	leave(self);
}

void rt_task_yield_with_tool(struct rt_thread *self)
{
	enter(self);
	self->task->tool.yields = true;
	rt_task_yield(self);
	self->task->tool.yields = false;
	leave(self);
}

static void begin_group(struct rt_thread *self, const void *codeptr)
{
	show_region(self, ompt_sync_region_taskgroup, ompt_scope_begin, codeptr);
	rt_taskgroup_begin(self);
	self->task->group->codeptr = codeptr;
}

/* Returns whether tasks took part in a reduction of the group. */
static bool end_group(struct rt_thread *self, const void *codeptr)
{
	struct rt_taskgroup *group = self->task->group;
	bool reduces = group != NULL && group->reductions != NULL;

	show_wait(self, ompt_sync_region_taskgroup, ompt_scope_begin, codeptr);
	rt_taskgroup_end(self);
	show_wait(self, ompt_sync_region_taskgroup, ompt_scope_end, codeptr);
	show_region(self, ompt_sync_region_taskgroup, ompt_scope_end, codeptr);
	return reduces;
}

void rt_taskgroup_begin_with_tool(struct rt_thread *self)
{
	const void *codeptr = enter(self);

	begin_group(self, codeptr);
	leave(self);
}

void rt_taskgroup_end_with_tool(struct rt_thread *self)
{
	const void *codeptr = enter(self);

	if (end_group(self, codeptr))
		rt_reduction_combine_begin_with_tool(self, codeptr);
	leave(self);
}

void rt_taskloop_with_tool(struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	const void *codeptr = enter(self);
	ompt_data_t *team = &self->team->tool.data, *task = &self->task->tool.data;
	bool reduces = false;

	self->tool.code =
	    taskloop->request.code != NULL ? taskloop->request.code : taskloop->request.fn;
	rt_emit_work(ompt_work_taskloop, ompt_scope_begin, team, task, taskloop->count, codeptr);
	if (taskloop->has_group)
		begin_group(self, codeptr);
	rt_taskloop_generate(self, taskloop);
	if (taskloop->has_group)
		reduces = end_group(self, codeptr);
	rt_emit_work(ompt_work_taskloop, ompt_scope_end, team, task, taskloop->count, codeptr);
	if (reduces)
		rt_reduction_combine_begin_with_tool(self, codeptr);
	leave(self);
}

void rt_reduction_combine_begin_with_tool(struct rt_thread *self, const void *codeptr)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_emit_reduction(ompt_sync_region_reduction, ompt_scope_begin, &self->team->tool.data,
	    &self->task->tool.data, codeptr);
}

void rt_reduction_combine_end_with_tool(struct rt_thread *self)
{
	const void *codeptr = enter(self);

	rt_emit_reduction(ompt_sync_region_reduction, ompt_scope_end, &self->team->tool.data,
	    &self->task->tool.data, codeptr);
	leave(self);
}
