/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a task: executed, completed, released. How it begins is in task-generate.c, how tasks
 * wait for each other in taskwait.c, dependences in depend.c.
 *
 * Who sees what:
 *   queueing    the push publishes the task to whoever takes it (deque.c, ready.c)
 *   joins       sequential addition by the thread that completes a child, after all that the child
 *               wrote; pairs with the acquire load by the parent. Sequential because the child then
 *               looks whether the parent waits: either it sees that, or the parent sees the sum
 *   the end     a task that is completed while children are not released subtracts `created` from
 *               the high half; whoever brings that half to zero releases the task
 */
#include "tasks.h"

#include <stdlib.h>

#include "debug-stores.h"
#include "depend.h"
#include "process.h"
#include "slab.h"
#include "task-run.h"
#include "team.h"
#include "tsan.h"

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
 * Wakes the task's thread when `joins` is what it waits for. The task may have gone on and be gone
 * meanwhile (a wake-up too many then); its team, which is the children's, is not.
 */
static void notify_parent(struct rt_team *team, struct rt_task *parent, uint64_t joins)
{
	uint8_t waiting = load_sequential(&parent->waiting);

	if (likely(waiting == RT_WAIT_NONE))
		return;
	if ((waiting == RT_WAIT_COMPLETED ? completed(joins) : released(joins)) ==
	    load_relaxed(&parent->created))
		rt_event_notify(&team->event);
}

static void recycle(struct rt_thread *self, struct rt_task *task)
{
	rt_task_finish(task);
	if (unlikely(task->flags & RT_TASK_OWNS_DATA))
		free(task->data);
	task->node = NULL;
	if (unlikely(load_relaxed(&task->created) != 0)) {
		store_relaxed(&task->created, 0);
		store_relaxed(&task->joins, 0);
	}
	rt_slab_give(self->slab, task);
}

/* The task is completed and so are its descendants: it goes, and perhaps its parent with it. */
static void release(struct rt_thread *self, struct rt_task *task)
{
	for (;;) {
		struct rt_task *parent = task->parent;
		struct rt_team *team = task->team;
		uint64_t joins;

		rt_tsan_acquire(task);
		recycle(self, task);
		rt_tsan_release(parent);
		joins = add_sequential(&parent->joins, RT_JOIN_RELEASED) + RT_JOIN_RELEASED;
		if (released(joins) != 0) {
			notify_parent(team, parent, joins);
			return;
		}
		task = parent; /* had ended before; this was the last of its children */
	}
}

static void leave_group(struct rt_team *team, struct rt_taskgroup *group)
{
	rt_tsan_release(group);
	if (sub_sequential(&group->pending, 1) == 1)
		rt_event_notify(&team->event);
}

void rt_task_complete(struct rt_thread *self, struct rt_task *task)
{
	struct rt_task *parent = task->parent;
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
		    parent); /* executed by its parent's thread, inside its parent */
	joins = add_sequential(&parent->joins, RT_JOIN_COMPLETED) + RT_JOIN_COMPLETED;
	notify_parent(team, parent, joins);
	created =
	    load_relaxed(&task->created); /* the addition lets the last child release the task */
	joins = add_sequential(&task->joins, -((uint64_t)created << 32));
	if (released(joins) == created)
		release(self, task);
}

/* Of the two things that complete a detachable task, the body and the event, one has happened. */
static bool detach_step_is_last(struct rt_task *task)
{
	rt_tsan_release(&task->detach);
	if (sub_acq_rel(&task->detach, 1) != 1)
		return false;
	rt_tsan_acquire(&task->detach);
	return true;
}

/* Between the places for breakpoints, and unless it is cancelled. */
void rt_task_run_cancellable(struct rt_task *task, rt_task_fn *fn, void *data)
{
	if (rt_process.debug)
		ompd_bp_task_begin();
	if (!rt_task_is_cancelled(task) || (task->flags & RT_TASK_MUST_RUN))
		fn(data);
	if (rt_process.debug)
		ompd_bp_task_end();
}

void rt_task_execute(struct rt_thread *self, struct rt_task *task)
{
	struct rt_task *outer = self->task, *tied = self->tied;

	RT_FOR_DEBUGGERS(task->next = outer);
	rt_debug_note_frame(&task->frame);
	self->task = task;
	if (!(task->flags & RT_TASK_UNTIED))
		self->tied = task;
	rt_tsan_acquire(task);
	rt_task_run(task, task->fn, task->data);
	self->task = outer;
	self->tied = tied;
	if (unlikely(task->flags & RT_TASK_DETACHABLE) && !detach_step_is_last(task))
		return;
	rt_task_complete(self, task);
}

void rt_task_fulfill(struct rt_thread *self, uintptr_t event)
{
	struct rt_task *task = (struct rt_task *)event;

	rt_team_visit();
	if (detach_step_is_last(task))
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
