/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a task begins: made with its arguments and queued, executed at once, or, where nothing can
 * tell the difference, called on the spot. Called by the entries of tasks and of taskloops; how it
 * goes on is in task.c.
 *
 * Who sees what:
 *   queueing    the push publishes the task to whoever takes it (deque.c, ready.c)
 *   created     the parent's thread alone writes it while the parent runs; whoever completes a
 * child looks at it after its sequential addition to `joins`, see task.c
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "debug-stores.h"
#include "depend.h"
#include "message.h"
#include "process.h"
#include "slab.h"
#include "task-run.h"
#include "team.h"
#include "tsan.h"

/* Children after which the counters are brought back to zero, long before they overflow. */
#define MANY_CHILDREN (UINT32_C(1) << 30)

static _Noreturn void out_of_memory(size_t bytes)
{
	rt_fatal("no memory for a task of %zu bytes; the program ends here", bytes);
}

/* What every new task has from its parent; the rest of a free block is zero, see struct rt_task. */
static void inherit(
    struct rt_task *task, struct rt_task *parent, struct rt_team *team, uint8_t flags)
{
	task->icvs = parent->icvs;
	task->icvs_shared = true;
	task->flags = flags;
	task->priority = 0;
	task->depth = parent->depth + 1;
	task->parent = parent;
	task->team = team;
	task->group = parent->group;
	RT_FOR_DEBUGGERS(task->frame = NULL);
	parent->icvs_shared = true;
}

/* Memory and arguments. A task that its parent executes at once uses the caller's arguments. */
static struct rt_task *make(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	struct rt_task *parent = self->task, *task = rt_slab_take(self->slab);
	void *data = request->data;

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
	if ((flags & RT_TASK_COUNTED) || request->copy != NULL || request->bounds != NULL) {
		size_t align = request->align > sizeof(void *) ? request->align : sizeof(void *);
		data = rt_slab_arguments(task);
		if (unlikely(request->size > RT_SLAB_ARGUMENT_BYTES || align > 64)) {
			data = aligned_alloc(align, (request->size + align - 1) & ~(align - 1));
			if (data == NULL)
				out_of_memory(request->size);
			flags |= RT_TASK_OWNS_DATA;
		}
	}
	inherit(task, parent, self->team, flags);
	task->priority = request->priority;
	task->fn = request->fn;
	task->data = data;
	if (request->event != NULL) {
		/* The handle is also the first of the arguments, which were made before it. */
		*request->event = task;
		*(void **)request->data = task;
		store_relaxed(&task->detach, 2);
	}
	if (request->copy != NULL) {
		task->flags |= RT_TASK_MUST_RUN;
		request->copy(data, request->data);
	} else if (data != request->data) {
		memcpy(data, request->data, request->size);
	}
	if (request->bounds != NULL)
		memcpy(data, request->bounds, 2 * sizeof(*request->bounds));
	return task;
}

/*
 * Executed by the parent's thread before the parent goes on; children it leaves are counted then.
 */
static void generate_undeferred(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	if (request->depend != NULL)
		rt_depend_wait(self, request->depend);
	rt_task_execute(self, make(self, request, flags));
}

/*
 * A task that can be executed on the spot with its caller's arguments: fn returns before this does,
 * so there is nothing to copy, to queue or to count, unless it leaves children behind.
 */
static inline __attribute__((always_inline)) struct rt_task *make_included(
    struct rt_thread *self, rt_task_fn *fn, uint8_t flags)
{
	struct rt_task *parent = self->task, *task = rt_slab_take(self->slab);

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
	inherit(task, parent, self->team, flags | (parent->flags & RT_TASK_FINAL));
	(void)fn; /* in a build without the debugger's side */
	RT_FOR_DEBUGGERS(task->fn = fn);
	rt_debug_note_frame(&task->frame);
	return task;
}

/* True: it left nothing behind, its record is as it was. */
static inline __attribute__((always_inline)) bool run_included(
    struct rt_thread *self, struct rt_task *task, rt_task_fn *fn, void *data, uint8_t flags)
{
	struct rt_task *parent = task->parent, *tied = self->tied;

	self->task = task;
	if (likely(!(flags & RT_TASK_UNTIED)))
		self->tied = task;
	rt_task_run(task, fn, data);
	self->task = parent;
	self->tied = tied;
	return load_relaxed(&task->created) == 0 && task->icvs_copies == NULL;
}

void rt_task_run_included(struct rt_thread *self, rt_task_fn *fn, void *data, uint8_t flags)
{
	struct rt_task *task = make_included(self, fn, flags);

	if (likely(run_included(self, task, fn, data, flags)))
		rt_slab_give(self->slab, task);
	else
		rt_task_complete(self, task);
}

void rt_task_run_in_row(
    struct rt_thread *self, struct rt_task **task, rt_task_fn *fn, void *data, uint8_t flags)
{
	if (*task == NULL)
		*task = make_included(self, fn, flags);
	if (likely(run_included(self, *task, fn, data, flags)))
		return;
	rt_task_complete(self, *task);
	*task = NULL;
}

void rt_task_end_row(struct rt_thread *self, struct rt_task *task)
{
	if (task != NULL)
		rt_slab_give(self->slab, task);
}

/* unusual: it may be cancelled, or a debugger wants to know more. Inlined for either. */
static inline __attribute__((always_inline)) void generate(
    struct rt_thread *self, const struct rt_task_request *request, const void *site, bool unusual)
{
	struct rt_task *parent = self->task, *task;
	uint8_t flags = (request->untied ? RT_TASK_UNTIED : 0) |
			(request->final || (parent->flags & RT_TASK_FINAL) ? RT_TASK_FINAL : 0);
	bool alone = self->team->size == 1 &&
		     (request->depend == NULL || rt_task_children_completed(parent));

	if (unusual && rt_task_is_cancelled(parent))
		return;
	if ((alone || !request->deferrable || (parent->flags & RT_TASK_FINAL)) &&
	    request->event == NULL) {
		generate_undeferred(self, request, flags);
		return;
	}
	if (unlikely(load_relaxed(&parent->created) >= MANY_CHILDREN))
		rt_task_drain(self, self->tied);
	if (request->event != NULL) {
		if (!request->deferrable && request->depend != NULL)
			rt_depend_wait(self, request->depend);
		flags |= RT_TASK_DETACHABLE;
	}
	task = make(self, request, flags | RT_TASK_COUNTED);
	if (unusual) /* what is in one object is less than 2^31 apart */
		task->site = site != NULL ? (int32_t)((intptr_t)site - (intptr_t)request->fn) : 0;
	rt_task_count_child(parent);
	if (parent->group != NULL)
		add_relaxed(&parent->group->pending, 1);
	rt_tsan_release(task);
	if (unlikely(request->depend != NULL) && !rt_depend_register(self, task, request->depend))
		return;
	if (!request->deferrable || (parent->flags & RT_TASK_FINAL) || self->team->size == 1) {
		rt_task_execute(self, task);
	} else if (unlikely(task->priority != 0)) {
		rt_task_make_ready(self, task);
	} else if (likely(rt_deque_push(&self->member->deque, task))) {
		rt_team_offer_task(self->team);
	} else {
		rt_task_execute(self, task);
	}
}

void rt_task_generate(
    struct rt_thread *self, const struct rt_task_request *request, const void *site)
{
	if (likely(rt_process.unusual_for_tasks == 0))
		generate(self, request, NULL, false);
	else
		generate(self, request, site, true);
}
