/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread executes a task that it took from a queue or has just made, between what tools and
 * debuggers see of it.
 */
#include "breakpoints.h"
#include "debug-stores.h"
#include "depend.h"
#include "in-place.h"
#include "race.h"
#include "shared/race-log.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "watch.h"

/* Relaxed: a cancelled task is discarded, and reads nothing that another one wrote before. */
bool rt_task_is_cancelled(const struct rt_task *task)
{
	if (!rt_watched(RT_BY_CANCELLATION))
		return false;
	return load_relaxed(&task->team->cancelled) != 0 || rt_taskgroup_is_cancelled(task->group);
}

static void emit_begin(struct rt_task *task, struct rt_task *outer)
{
	struct rt_task_tool *tool = &task->tool;

	if (rt_task_is_taskwait(task))
		return;
	rt_emit_task_schedule(&outer->tool.data,
	    outer->tool.yields ? ompt_task_yield : ompt_task_switch, &tool->data);
	if (tool->chunk.iterations != 0)
		rt_emit_dispatch(&task->team->tool.data, &tool->data, ompt_dispatch_taskloop_chunk,
		    (ompt_data_t){.ptr = &tool->chunk});
}

void rt_task_show_begin(struct rt_task *task, struct rt_task *outer)
{
	if (rt_watched(RT_BY_TOOL))
		emit_begin(task, outer);
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_begin();
}

enum rt_task_outcome rt_task_run_watched(
    struct rt_task *task, struct rt_task *outer, rt_task_fn *fn, void *data)
{
	bool cancelled = !(task->flags & RT_TASK_MUST_RUN) && rt_task_is_cancelled(task);
	bool tool = rt_watched(RT_BY_TOOL);

	if (tool && cancelled)
		return RT_TASK_DISCARDED;
	if (tool) {
		task->next = outer;
		rt_task_note_exit_frame(task);
	}
	rt_task_show_begin(task, outer);
	if (!cancelled)
		fn(data);
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_end();
	if (!tool)
		return RT_TASK_UNSEEN;
	rt_task_set_exit_frame(task, NULL);
	return RT_TASK_FINISHED;
}

/*
 * The tasks of a thread share its copy of a reduction's variables. They run one after the other in
 * no fixed order; rt_reduction_remap() acquires what the previous one wrote.
 */
static RT_COLD void release_copies(struct rt_thread *self, const struct rt_task *task)
{
	for (const struct rt_taskgroup *group = task->group; group != NULL; group = group->outer)
		if (group->reductions != NULL)
			rt_tsan_release(self->member);
}

static inline __attribute__((always_inline)) void execute(
    struct rt_thread *self, struct rt_task *task, bool watched)
{
	struct rt_task *outer = self->task, *tied;
	enum rt_task_outcome outcome = RT_TASK_UNSEEN;
	const bool is_placed = watched && rt_watched(RT_BY_RACE) && (task->flags & RT_TASK_COUNTED);

	RT_FOR_DEBUGGERS(task->next = outer);
	rt_debug_note_frame(&task->frame);
	tied = rt_task_enter(self, task);
	if (is_placed)
		rt_race_task_begin(rt_slab_arguments(task));
	rt_tsan_acquire(task);
	if (!watched) {
		task->fn(task->data);
	} else {
		if (rt_watched(RT_BY_RACE) && task->node != NULL)
			rt_depend_acquire_sources(self, task->node);
		outcome = rt_task_run_watched(task, outer, task->fn, task->data);
		if (rt_watched(RT_BY_RACE))
			release_copies(self, task);
	}
	rt_task_leave(self, outer, tied);
	if (watched && outcome != RT_TASK_UNSEEN)
		rt_task_end_with_tool(self, task, outer, outcome);
	else
		rt_task_end(self, task);
	if (is_placed)
		rt_race_task_end();
}

static void execute_on_strand(void *task)
{
	execute(rt_current, task, true);
}

/*
 * With race detection a task is a strand from its begin to its completion. A task that is not
 * counted belongs to its parent's strand, which continues after it.
 */
static RT_COLD void execute_watched(struct rt_thread *self, struct rt_task *task)
{
	rt_race_begin_task(self);
	if (rt_watched(RT_BY_RACE) && (task->flags & RT_TASK_COUNTED))
		rt_strand_call(self, execute_on_strand, task, RACE_STRAND_TASK);
	else
		execute(self, task, true);
}

void rt_task_execute(struct rt_thread *self, struct rt_task *task)
{
	if (rt_watched(RT_AT_TASKS))
		execute_watched(self, task);
	else
		execute(self, task, false);
}
