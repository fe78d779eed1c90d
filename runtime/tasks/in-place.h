/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second door to a task, beside rt_task_generate(): the calling thread executes the task in
 * place, and its parent continues afterwards. So there is nothing to copy, to queue or to count,
 * unless the task leaves children, which count then. Most tasks are executed so, in a few
 * instructions; therefore the door is here, where callers inline it. Its steps:
 *
 *	begin    gives the task a record, and makes it a child of the thread's task
 *	call     the thread switches to the task, executes its code and switches back; this may be
 *	         repeated with the same record, until a task has left something behind
 *	end      frees the record, or completes a task that has left something behind
 *
 * The request's dependences are fulfilled, and its arguments need no copy; the caller emits the
 * events for a tool. Only the calling thread uses the record as long as the task has no children,
 * so the atomics here are relaxed.
 */
#ifndef RT_IN_PLACE_H
#define RT_IN_PLACE_H
#include "debug-stores.h"
#include "shared/debug-log.h"
#include "slab.h"
#include "tasks.h"
#include "thread.h"
#include "watch.h"

/* What a task from rt_task_new() is already when it becomes a child. */
#define RT_TASK_OF_RECORD (RT_TASK_OWNS_DATA | RT_TASK_DETACHABLE | RT_TASK_MUST_RUN)

_Noreturn void rt_task_no_memory(size_t bytes);

/* A record in which only the fields are set that are zero in a free block. */
static inline __attribute__((always_inline)) struct rt_task *rt_task_take_record(
    struct rt_thread *self)
{
	struct rt_task *task = rt_slab_take(self->slab);

	if (unlikely(task == NULL))
		rt_task_no_memory(sizeof(*task));
	return task;
}

/* Makes the task a child of the calling thread's task: sets what each task inherits. */
static inline __attribute__((always_inline)) void rt_task_inherit(
    struct rt_thread *self, struct rt_task *task, uint8_t flags)
{
	struct rt_task *parent = self->task;

	task->icvs = parent->icvs;
	task->icvs_shared = true;
	task->flags = flags;
	task->depth = parent->depth + 1;
	store_relaxed(&task->parent, parent);
	task->team = self->team;
	task->group = parent->group;
	RT_FOR_DEBUGGERS(task->frame = NULL);
	parent->icvs_shared = true;
}

/* Switches to the task, and back to `outer`; the first function returns what the second needs. */
static inline struct rt_task *rt_task_enter(struct rt_thread *self, struct rt_task *task)
{
	struct rt_task *tied = self->tied;

	self->task = task;
	if (!(task->flags & RT_TASK_UNTIED))
		self->tied = task;
	return tied;
}

static inline void rt_task_leave(
    struct rt_thread *self, struct rt_task *outer, struct rt_task *tied)
{
	self->task = outer;
	self->tied = tied;
}

static inline __attribute__((always_inline)) struct rt_task *rt_task_begin_in_place(
    struct rt_thread *self, const struct rt_task_request *request)
{
	struct rt_task *task = request->made;
	uint8_t flags = request->flags | (self->task->flags & RT_TASK_FINAL);

	if (task == NULL)
		task = rt_task_take_record(self);
	else
		flags |= task->flags & RT_TASK_OF_RECORD;
	rt_task_inherit(self, task, flags);
	task->priority = request->priority;
	RT_FOR_DEBUGGERS(task->fn = request->fn);
	if (request->made == NULL)
		RT_FOR_DEBUGGERS(task->data = request->data);
	rt_debug_note_frame(&task->frame);
	DEBUG_LOG(task, "included task of thread %u: not deferrable, or enough tasks are queued",
	    self->number);
	return task;
}

/* Whether a task left nothing behind, so that its record is as it was before. */
static inline bool rt_task_left_nothing(const struct rt_task *task)
{
	return load_relaxed(&task->created) == 0 && task->icvs_copies == NULL;
}

/* watched: a constant; false: only without RT_AT_TASKS. Returns rt_task_left_nothing(). */
static inline __attribute__((always_inline)) bool rt_task_call_in_place(
    struct rt_thread *self, struct rt_task *task, rt_task_fn *fn, void *data, bool watched)
{
	struct rt_task *outer = self->task, *tied = rt_task_enter(self, task);

	if (watched && rt_watched(RT_AT_TASKS))
		rt_task_run_watched(task, outer, fn, data);
	else
		fn(data);
	rt_task_leave(self, outer, tied);
	return rt_task_left_nothing(task);
}

/* What is left of few tasks: children, ICVs, own memory for arguments, an event. */
void rt_task_complete_in_place(struct rt_thread *self, struct rt_task *task);

static inline __attribute__((always_inline)) void rt_task_end_in_place(
    struct rt_thread *self, struct rt_task *task, bool left_nothing)
{
	if (likely(left_nothing && !(task->flags & (RT_TASK_OWNS_DATA | RT_TASK_COUNTED))))
		rt_slab_give(self->slab, task);
	else
		rt_task_complete_in_place(self, task);
}

/* All steps, for one task. */
static inline __attribute__((always_inline)) void rt_task_run_in_place(
    struct rt_thread *self, const struct rt_task_request *request, bool watched)
{
	struct rt_task *task = rt_task_begin_in_place(self, request);
	void *data = request->made != NULL ? task->data : request->data;

	rt_task_end_in_place(
	    self, task, rt_task_call_in_place(self, task, request->fn, data, watched));
}

#endif
