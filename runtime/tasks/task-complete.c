/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a task: its body has returned or was discarded, its event is fulfilled, it is
 * completed and, with its children, released.
 *
 * Who sees what:
 *   created   only the parent's thread writes it while the parent runs; the thread that completes a
 *             child reads it after its sequential addition to `joins`
 *   joins     sequential addition by the thread that completes a child, after all that the child
 *             wrote; pairs with the acquire load by the parent. Sequential because the thread that
 *             adds then looks whether the parent waits: either it sees that, or the parent sees the
 *             sum
 *   the end   a task that is completed while children are not released subtracts `created` from the
 *             high half; the thread that brings that half to zero releases the task
 */
#include <sched.h>
#include <stdlib.h>

#include "depend.h"
#include "race.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "watch.h"

static uint32_t completed(uint64_t joins)
{
	return (uint32_t)joins;
}

static uint32_t released(uint64_t joins)
{
	return (uint32_t)(joins >> 32);
}

void rt_task_free_icvs(struct rt_task *task, bool all)
{
	struct rt_icvs_copy **link = &task->icvs_copies, *copy;

	if (!all && *link != NULL)
		link = &(*link)->older;
	while ((copy = *link) != NULL) {
		if (copy->has_group && !all) {
			link = &copy->older;
			continue;
		}
		*link = copy->older;
		free(copy);
	}
}

void rt_task_finish(struct rt_task *task)
{
	if (unlikely(task->icvs_copies != NULL))
		rt_task_free_icvs(task, true);
	if (unlikely(task->table != NULL)) {
		rt_depend_table_free(task->table);
		task->table = NULL;
	}
}

/*
 * Wakes the parent's thread if `joins` is what it waits for. The parent may have continued and be
 * gone meanwhile, which causes a needless wake-up; its team, which is also the children's, is not
 * gone.
 */
static void notify_parent(struct rt_team *team, struct rt_task *parent, uint64_t joins)
{
	uint8_t waiting = load_sequential(&parent->waiting);

	if (likely(waiting == RT_WAIT_NONE))
		return;
	if ((waiting == RT_WAIT_COMPLETED ? completed(joins) : released(joins)) ==
	    load_relaxed(&parent->created))
		rt_team_notify(team);
}

/* Frees what few tasks have. False: the record is to be kept. */
static RT_COLD bool recycle_more(struct rt_thread *self, struct rt_task *task)
{
	struct rt_depend_node *node = task->node;

	if (task->flags & RT_TASK_OWNS_DATA) {
		void *hidden = rt_race_hide(self);
		free(task->data);
		rt_race_show(hidden);
	}
	task->node = NULL;
	if (!(task->flags & RT_TASK_NAMED))
		return true;
	rt_depend_drop(self, node);
	return false;
}

static void recycle(struct rt_thread *self, struct rt_task *task)
{
	rt_task_finish(task);
	if (unlikely(load_relaxed(&task->created) != 0)) {
		store_relaxed(&task->created, 0);
		store_relaxed(&task->joins, 0);
	}
	if (unlikely(task->flags & (RT_TASK_OWNS_DATA | RT_TASK_NAMED)) &&
	    !recycle_more(self, task))
		return;
	task->node = NULL;
	rt_slab_give(self->slab, task);
}

/*
 * For ThreadSanitizer a task has two addresses. At its own address its children release what they
 * did; at that of `joins`, their descendants do, for which taskwait does not wait.
 */
RT_COLD void rt_task_acquire_descendants_now(const struct rt_task *task)
{
	rt_tsan_acquire(task);
	rt_tsan_acquire(&task->joins);
}

/* Called after the task has released what it did itself. */
static RT_COLD void pass_on_descendants(const struct rt_task *task)
{
	rt_task_acquire_descendants(task);
	rt_tsan_release(&load_relaxed(&task->parent)->joins);
}

/*
 * The task and its descendants are completed: frees it, and its parent if that is released with it.
 */
static void release(struct rt_thread *self, struct rt_task *task)
{
	for (;;) {
		struct rt_task *parent = load_relaxed(&task->parent);
		struct rt_team *team = task->team;
		uint64_t joins;

		rt_task_acquire_descendants(task);
		recycle(self, task);
		rt_tsan_release(&parent->joins);
		joins = add_sequential(&parent->joins, RT_JOIN_RELEASED) + RT_JOIN_RELEASED;
		if (released(joins) != 0) {
			notify_parent(team, parent, joins);
			return;
		}
		task = parent; /* it had ended before; this was the last of its children */
	}
}

static void leave_group(struct rt_team *team, struct rt_taskgroup *group)
{
	rt_tsan_release(group);
	if (sub_sequential(&group->pending, 1) == 1)
		rt_team_notify(team);
}

/* The value of the high half of an ended task's joins if all children but one are released. */
#define ONE_NOT_RELEASED UINT32_MAX

/*
 * The task ends before its children, and it is the last child of a parent that has ended, too. The
 * parent is then no longer needed: the task takes its place among the children of the next
 * ancestor, and so on. Otherwise a chain of tasks, each of which generates the next and ends, would
 * keep all that have ended. No other thread uses the parent: its other children are released, and a
 * thread could release the parent only after this task.
 *
 * A parent stays if it wrote ICVs, since its descendants may read its copies; if a tool may be
 * shown it; or if no other task may reuse its memory.
 *
 *   parent    release, pairs with the walk of rt_task_descends(); the thread that releases the task
 *             sees it by `joins`, to which the caller adds next
 */
static RT_COLD void leave_out_ended(struct rt_thread *self, struct rt_task *task)
{
	struct rt_task *parent = load_relaxed(&task->parent);

	do {
		struct rt_task *above = load_relaxed(&parent->parent);

		if (parent->icvs_copies != NULL || (parent->flags & RT_TASK_NAMED) ||
		    rt_watched(RT_BY_RACE))
			break;
		rt_task_acquire_descendants(parent);
		store_release(&task->parent, above);
		add_sequential(&rt_ancestors_left_out, 1);
		recycle(self, parent);
		parent = above;
	} while (released(load_acquire(&parent->joins)) == ONE_NOT_RELEASED);
	rt_tsan_release(&task->joins);
}

void rt_task_complete(struct rt_thread *self, struct rt_task *task)
{
	struct rt_task *parent = load_relaxed(&task->parent);
	struct rt_team *team = task->team;
	uint32_t created;
	uint64_t joins;

	if (unlikely(task->node != NULL))
		rt_depend_complete(self, task);
	if (task->group != NULL && (task->flags & RT_TASK_COUNTED))
		leave_group(team, task->group);
	rt_tsan_release(parent);
	if (likely(rt_task_children_released(task))) {
		bool counted = task->flags & RT_TASK_COUNTED;
		if (unlikely(rt_tsan_is_present()))
			pass_on_descendants(task);
		recycle(self, task);
		if (!counted)
			return;
		joins = add_sequential(&parent->joins, RT_JOIN_COMPLETED + RT_JOIN_RELEASED) +
			RT_JOIN_COMPLETED + RT_JOIN_RELEASED;
		if (unlikely(released(joins) == 0))
			release(self, parent);
		else
			notify_parent(team, parent, joins);
		return;
	}
	if (!(task->flags & RT_TASK_COUNTED))
		rt_task_count_child(
		    parent); /* its parent's thread executed it, inside the parent */
	joins = add_sequential(&parent->joins, RT_JOIN_COMPLETED) + RT_JOIN_COMPLETED;
	notify_parent(team, parent, joins);
	if (unlikely(released(joins) == ONE_NOT_RELEASED))
		leave_out_ended(self, task);
	created =
	    load_relaxed(&task->created); /* the addition lets the last child release the task */
	joins = add_acq_rel(&task->joins, -((uint64_t)created << 32)); /* no thread waits for it */
	if (released(joins) == created)
		release(self, task);
}

bool rt_task_detach_step_is_last(struct rt_task *task)
{
	rt_tsan_release(&task->detach);
	if (sub_acq_rel(&task->detach, 1) != 1)
		return false;
	rt_tsan_acquire(&task->detach);
	return true;
}

static void begin_last_event(struct rt_task *task)
{
	if (task->flags & RT_TASK_NAMED)
		rt_depend_end_naming(task->node);
}

static void show_end(struct rt_task *task, struct rt_task *outer)
{
	struct rt_task_tool *tool = &task->tool;

	begin_last_event(task);
	if (rt_task_is_taskwait(task))
		rt_emit_task_schedule(&tool->data, ompt_taskwait_complete, NULL);
	else
		rt_emit_task_schedule(&tool->data,
		    tool->cancelled ? ompt_task_cancel : ompt_task_complete, &outer->tool.data);
}

/*
 * Shows that a task is discarded. The thread has not switched to it and continues with `next`.
 * LLVM's library shows it in the same way.
 */
static void show_discarded(struct rt_task *task, ompt_data_t *next)
{
	bool by_region = load_relaxed(&task->team->cancelled) != 0;

	begin_last_event(task);
	task->tool.discarded = true;
	rt_emit_cancel(&task->tool.data,
	    ompt_cancel_discarded_task | (by_region ? ompt_cancel_parallel : ompt_cancel_taskgroup),
	    NULL);
	if (!rt_task_is_taskwait(task))
		rt_emit_task_schedule(&task->tool.data, ompt_task_cancel, next);
}

/*
 * rt_task_detach_step_is_last() with a tool. The tool sees the first step before it can see the
 * last one, because the task may be gone as soon as both are counted. A discarded body is always
 * shown, as the task's last event: it is shown here, where no fulfilment is being shown, and none
 * is shown afterwards.
 */
static bool detach_step_is_last_with_tool(
    struct rt_task *task, ompt_task_status_t status_if_first, ompt_data_t *next, bool is_discarded)
{
	enum { SHOWN = 0x100 }; /* one step is being shown to the tool; the other one waits */
	uint32_t steps = load_relaxed(&task->detach);

	rt_tsan_release(&task->detach);
	/* Acquire: what the tool did when it saw the other step comes before what it sees here. */
	while ((steps & SHOWN) || !cas_acquire(&task->detach, &steps, steps | SHOWN)) {
		sched_yield();
		steps = load_relaxed(&task->detach);
	}
	if (is_discarded)
		show_discarded(task, next);
	else if (steps == 2)
		rt_emit_task_schedule(&task->tool.data, status_if_first, next);
	store_release(&task->detach, steps - 1); /* no other thread writes it meanwhile */
	if (steps != 1)
		return false;
	rt_tsan_acquire(&task->detach);
	return true;
}

RT_COLD void rt_task_end_with_tool(struct rt_thread *self, struct rt_task *task,
    struct rt_task *outer, enum rt_task_outcome outcome)
{
	bool is_discarded = outcome == RT_TASK_DISCARDED;

	if (!(task->flags & RT_TASK_DETACHABLE)) {
		if (is_discarded)
			show_discarded(task, &outer->tool.data);
	} else if (!detach_step_is_last_with_tool(
		       task, ompt_task_detach, &outer->tool.data, is_discarded)) {
		return;
	}
	if (outcome == RT_TASK_FINISHED)
		show_end(task, outer);
	rt_task_complete(self, task);
}

/* No switch to another task is shown here: the task that the event belongs to may be complete. */
static bool fulfilment_completes(struct rt_task *task)
{
	if (!rt_watched(RT_BY_TOOL))
		return rt_task_detach_step_is_last(task);
	if (!detach_step_is_last_with_tool(task, ompt_task_early_fulfill, NULL, false))
		return false;
	if (task->tool.discarded) /* the discard was its last event */
		return true;
	begin_last_event(task);
	rt_emit_task_schedule(&task->tool.data, ompt_task_late_fulfill, NULL);
	return true;
}

void rt_task_fulfill(struct rt_thread *self, uintptr_t event)
{
	struct rt_task *task = (struct rt_task *)event;

	rt_team_visit();
	if (fulfilment_completes(task))
		rt_task_complete(self, task);
	rt_team_unvisit();
}

void rt_task_make_ready(struct rt_thread *self, struct rt_task *task)
{
	struct rt_team *team = task->team;

	if (likely(task->priority == 0 && self->team == team) &&
	    rt_deque_push(&self->member->deque, task)) {
		rt_team_offer_task(team);
		return;
	}
	rt_ready_push(&team->ready, task);
	rt_team_offer_task(team);
}

void rt_task_give_back(struct rt_thread *self, struct rt_task *task)
{
	store_relaxed(&task->detach, 0);
	recycle(self, task);
}
