/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task is made with its arguments and queued, executed at once, or, if nothing can observe the
 * difference, called immediately. For what comes then, see rt_task_execute() and
 * rt_task_complete(); for how tasks wait for each other, rt_task_help_until() and its callers; for
 * dependences, rt_depend_register(). A push publishes the task to the thread that takes it (struct
 * rt_deque, struct rt_ready_queue).
 */
#include <stdlib.h>
#include <string.h>

#include "breakpoints.h"
#include "debug-stores.h"
#include "depend.h"
#include "message.h"
#include "race.h"
#include "shared/debug-log.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "watch.h"

/* Number of children after which the counters are reset to zero, long before they overflow. */
#define MANY_CHILDREN (UINT32_C(1) << 30)

static _Noreturn void out_of_memory(size_t bytes)
{
	rt_fatal("no memory for a task of %zu bytes; the program ends here", bytes);
}

static inline __attribute__((always_inline)) struct rt_task *take_record(struct rt_thread *self)
{
	struct rt_task *task = rt_slab_take(self->slab);

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
	return task;
}

/*
 * Sets what every new task inherits from its parent; the rest of a free block is zero, see struct
 * rt_task.
 */
static void inherit(
    struct rt_task *task, struct rt_task *parent, struct rt_team *team, uint8_t flags)
{
	task->icvs = parent->icvs;
	task->icvs_shared = true;
	task->flags = flags;
	task->priority = 0;
	task->depth = parent->depth + 1;
	store_relaxed(&task->parent, parent);
	task->team = team;
	task->group = parent->group;
	RT_FOR_DEBUGGERS(task->frame = NULL);
	parent->icvs_shared = true;
}

/* Memory for arguments for which a block has no room, or that no other task may have had. */
static void *own_arguments(struct rt_thread *self, size_t align, size_t bytes)
{
	size_t room = (bytes + align - 1) & ~(align - 1);
	void *hidden = rt_race_hide(self);
	void *data = aligned_alloc(align, room);

	rt_race_show(hidden);
	if (data == NULL)
		out_of_memory(bytes);
	return data;
}

struct rt_task *rt_task_new(struct rt_thread *self, size_t bytes)
{
	struct rt_task *task = take_record(self);

	task->flags = 0;
	task->data = rt_slab_arguments(task);
	if (unlikely(bytes > RT_SLAB_ARGUMENT_BYTES || rt_watched(RT_BY_RACE))) {
		task->data = own_arguments(self, PROCESSOR_LINE, bytes);
		task->flags = RT_TASK_OWNS_DATA;
	}
	return task;
}

uintptr_t rt_task_make_detachable(struct rt_task *task)
{
	task->flags |= RT_TASK_DETACHABLE;
	store_relaxed(&task->detach, 2);
	rt_tsan_forget(&task->detach);
	return (uintptr_t)task;
}

/* Makes the task that was made before a child of the calling thread's task. */
static void adopt(struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	struct rt_task *task = request->made;

	inherit(task, self->task, self->team,
	    flags | (task->flags & (RT_TASK_OWNS_DATA | RT_TASK_DETACHABLE | RT_TASK_MUST_RUN)));
	task->priority = request->priority;
	task->fn = request->fn;
}

/*
 * Makes a task with its arguments. A task that its parent executes at once uses the caller's
 * arguments. With race detection the arguments are in memory that no earlier task had.
 */
static struct rt_task *make(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	struct rt_task *parent = self->task, *task = take_record(self);
	void *data = request->data;

	if ((flags & RT_TASK_COUNTED) || request->copy != NULL || request->bounds != NULL) {
		size_t align = request->align > sizeof(void *) ? request->align : sizeof(void *);
		data = rt_slab_arguments(task);
		if (unlikely(request->size > RT_SLAB_ARGUMENT_BYTES || align > PROCESSOR_LINE ||
			     (rt_watched(RT_BY_RACE) && (flags & RT_TASK_COUNTED)))) {
			data = own_arguments(self, align, request->size);
			flags |= RT_TASK_OWNS_DATA;
		}
	}
	inherit(task, parent, self->team, flags);
	task->priority = request->priority;
	task->fn = request->fn;
	task->data = data;
	if (request->event != NULL) {
		/* The handle is also the first argument; the arguments were made before it. */
		*request->event = task;
		*(void **)request->data = task;
		store_relaxed(&task->detach, 2);
		rt_tsan_forget(&task->detach);
	}
	if (request->copy != NULL) {
		task->flags |= RT_TASK_MUST_RUN;
		request->copy(data, request->data);
	} else if (data != request->data && request->size > 0) { /* without arguments: NULL */
		void *hidden = rt_race_hide(self);
		memcpy(data, request->data, request->size);
		rt_race_show(hidden);
	}
	if (request->bounds != NULL)
		memcpy(data, request->bounds, 2 * sizeof(*request->bounds));
	return task;
}

static int shown_flags(const struct rt_task *task, const struct rt_task_request *request)
{
	int flags = ompt_task_explicit;

	if (request->shown & RT_TASK_SHOWN_TASKWAIT)
		flags = ompt_task_taskwait;
	else if (request->shown & RT_TASK_SHOWN_TARGET)
		flags = ompt_task_target;
	if (request->shown & RT_TASK_SHOWN_MERGEABLE)
		flags |= ompt_task_mergeable;
	if (task->flags & RT_TASK_UNTIED)
		flags |= ompt_task_untied;
	if (task->flags & RT_TASK_FINAL)
		flags |= ompt_task_final;
	return flags;
}

/* undeferred: the parent continues only after the task has been executed. */
static RT_COLD void show_created(struct rt_thread *self, struct rt_task *task,
    const struct rt_task_request *request, bool undeferred)
{
	struct rt_task_tool *parent = &load_relaxed(&task->parent)->tool, *tool = &task->tool;

	rt_task_tool_init(
	    task, shown_flags(task, request) | (undeferred ? ompt_task_undeferred : 0));
	tool->memory_bytes = request->size;
	if (request->bounds != NULL)
		tool->chunk = (ompt_dispatch_chunk_t){request->bounds[2], request->bounds[3]};
	tool->code = request->code != NULL ? request->code : request->fn;
	self->tool.code = tool->code;
	rt_emit_task_create(&parent->data, &parent->frame, &tool->data, tool->flags,
	    request->depend != NULL, request->site);
	if (request->depend != NULL)
		rt_depend_show(&tool->data, request->depend);
}

/*
 * A thread that is alone in its team is back in its implicit task. Descendants left in the queue by
 * tasks that were executed at once are executed now, since outside of regions no construct may wait
 * for them. See rt_task_queues_children().
 */
static RT_COLD void execute_left(struct rt_thread *self)
{
	const struct rt_task *task = self->task;

	if (self->team->size != 1 || !(task->flags & RT_TASK_IMPLICIT))
		return;
	while (!rt_task_children_released(task) && rt_task_run_one(self, task))
		;
}

/*
 * The parent's thread executes the task before the parent continues; children that it leaves are
 * counted then.
 */
static inline __attribute__((always_inline)) void generate_undeferred(struct rt_thread *self,
    struct rt_task *task, const struct rt_task_request *request, bool watched)
{
	bool tool = watched && rt_watched(RT_BY_TOOL);

	if (tool)
		show_created(self, task, request, true);
	if (request->depend != NULL)
		rt_depend_wait(self, request->depend, tool ? &task->tool.data : NULL);
	rt_task_execute(self, task);
	execute_left(self);
}

/*
 * Begins a task that is executed at once: fn returns before the caller does, so there is nothing to
 * copy, to queue or to count, unless the task leaves children. made: its record, or NULL.
 */
static inline __attribute__((always_inline)) struct rt_task *begin_included(
    struct rt_thread *self, struct rt_task *made, rt_task_fn *fn, uint8_t flags)
{
	struct rt_task *parent = self->task, *task = made != NULL ? made : take_record(self);

	inherit(task, parent, self->team, flags | (parent->flags & RT_TASK_FINAL));
	(void)fn; /* unused in a build without debugger support */
	RT_FOR_DEBUGGERS(task->fn = fn);
	rt_debug_note_frame(&task->frame);
	DEBUG_LOG(task, "included task of thread %u: not deferrable, or enough tasks are queued",
	    self->number);
	return task;
}

/* True: the task left nothing behind, and its record is unchanged. */
static inline __attribute__((always_inline)) bool run_included(struct rt_thread *self,
    struct rt_task *task, rt_task_fn *fn, void *data, uint8_t flags, bool watched)
{
	struct rt_task *parent = load_relaxed(&task->parent), *tied = self->tied;

	self->task = task;
	if (likely(!(flags & RT_TASK_UNTIED)))
		self->tied = task;
	if (watched && rt_watched(RT_AT_TASKS))
		rt_task_run_watched(task, parent, fn, data);
	else
		fn(data);
	self->task = parent;
	self->tied = tied;
	return load_relaxed(&task->created) == 0 && task->icvs_copies == NULL;
}

static RT_COLD void complete_included(struct rt_thread *self, struct rt_task *task)
{
	rt_task_complete(self, task);
	execute_left(self);
}

void rt_task_run_included(struct rt_thread *self, rt_task_fn *fn, void *data, uint8_t flags)
{
	struct rt_task *task = begin_included(self, NULL, fn, flags);

	if (likely(run_included(self, task, fn, data, flags, false)))
		rt_slab_give(self->slab, task);
	else
		complete_included(self, task);
}

void rt_task_run_made(struct rt_thread *self, struct rt_task *task, rt_task_fn *fn, uint8_t flags)
{
	uint8_t owns = task->flags & RT_TASK_OWNS_DATA;

	begin_included(self, task, fn, flags | owns);
	if (likely(run_included(self, task, fn, task->data, flags, false) && !owns))
		rt_slab_give(self->slab, task);
	else
		complete_included(self, task);
}

void rt_task_run_in_sequence(
    struct rt_thread *self, struct rt_task **task, rt_task_fn *fn, void *data, uint8_t flags)
{
	if (*task == NULL)
		*task = begin_included(self, NULL, fn, flags);
	if (likely(run_included(self, *task, fn, data, flags, true)))
		return;
	complete_included(self, *task);
	*task = NULL;
}

void rt_task_end_sequence(struct rt_thread *self, struct rt_task *task)
{
	if (task != NULL)
		rt_slab_give(self->slab, task);
}

/*
 * With race detection a task is executed at once only when so many are queued that more are not
 * worth their memory; it is a strand then, too.
 */
static bool has_enough_to_race(struct rt_thread *self)
{
	enum { MANY_READY = 64 };

	return rt_watched(RT_BY_RACE) && !rt_task_queues_children(self->task) &&
	       (load_relaxed(&self->team->ready.length) > MANY_READY ||
		   rt_deque_is_saturated(&self->member->deque, self->team->size));
}

/* Returns the requested task, as a child of the calling thread's task. */
static inline __attribute__((always_inline)) struct rt_task *take(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	if (request->made == NULL)
		return make(self, request, flags);
	adopt(self, request, flags);
	return request->made;
}

/*
 * The deque is full. A task that may not nest then goes to the team's queue. That queue may grow
 * only with the depth, so that a task with many children does not fill the memory with them; when
 * it is full, as many tasks are queued as there are on the stack.
 */
static bool may_spill(struct rt_thread *self)
{
	return rt_task_queues_children(self->task) &&
	       load_relaxed(&self->team->ready.length) <= self->task->depth;
}

/* Queues or executes a task that is ready. */
static inline __attribute__((always_inline)) void queue_or_execute(
    struct rt_thread *self, struct rt_task *task, bool deferrable, bool watched)
{
	if (!deferrable || (watched && has_enough_to_race(self))) {
		rt_task_execute(self, task);
	} else if (watched && rt_race_queues_for_all(self)) {
		void *hidden = rt_race_hide(self);
		rt_ready_push(&self->team->ready, task);
		rt_race_show(hidden);
		rt_team_offer_task(self->team);
	} else if (unlikely(task->priority != 0)) {
		rt_task_make_ready(self, task);
	} else if (likely(rt_deque_push(&self->member->deque, task))) {
		DEBUG_LOG(task, "task %p is queued by thread %u", (void *)task, self->number);
		rt_team_offer_task(self->team);
	} else if (may_spill(self)) {
		DEBUG_LOG(task, "task %p is queued for the team: the deque is full", (void *)task);
		rt_task_make_ready(self, task);
	} else {
		DEBUG_LOG(task, "task %p is executed at once: the deque is full", (void *)task);
		rt_task_execute(self, task);
	}
}

static inline uint8_t requested_flags(
    const struct rt_task *parent, const struct rt_task_request *request)
{
	return (request->untied ? RT_TASK_UNTIED : 0) |
	       (request->final || (parent->flags & RT_TASK_FINAL) ? RT_TASK_FINAL : 0);
}

/*
 * watched: the task may be cancelled, or debuggers or tools observe it. Inlined once for each
 * value. False: it was not generated.
 */
static inline __attribute__((always_inline)) bool generate(
    struct rt_thread *self, const struct rt_task_request *request, bool watched)
{
	struct rt_task *parent = self->task, *task;
	uint8_t flags = requested_flags(parent, request);
	bool nests = self->team->size == 1 && !rt_task_queues_children(parent);
	bool alone = nests && !(watched && rt_watched(RT_BY_RACE)) &&
		     (request->depend == NULL || rt_task_children_completed(parent));
	bool detachable = request->made != NULL ? (request->made->flags & RT_TASK_DETACHABLE) != 0
						: request->event != NULL;
	bool is_included = (parent->flags & RT_TASK_FINAL) || nests, tool = false;

	if (watched && rt_task_is_cancelled(parent))
		return false;
	if ((alone || !request->deferrable || (parent->flags & RT_TASK_FINAL)) && !detachable) {
		DEBUG_LOG(task, "executed at once: %s",
		    alone                  ? "the thread is alone in its team"
		    : !request->deferrable ? "if clause, or enough tasks are queued"
					   : "in a final task");
		generate_undeferred(self, take(self, request, flags), request, watched);
		return true;
	}
	if (unlikely(load_relaxed(&parent->created) >= MANY_CHILDREN))
		rt_task_drain(self, parent);
	if (detachable)
		flags |= RT_TASK_DETACHABLE;
	task = take(self, request, flags | RT_TASK_COUNTED);
	if (watched) { /* addresses in one object are less than 2^31 apart */
		rt_task_fn *code = request->code != NULL ? request->code : request->fn;
		intptr_t site = (intptr_t)request->site;
		tool = rt_watched(RT_BY_TOOL);
		task->site = site != 0 ? (int32_t)(site - (intptr_t)code) : 0;
		if (tool)
			show_created(self, task, request,
			    !request->deferrable ||
				(is_included && request->depend == NULL && !detachable));
	}
	if (detachable && !request->deferrable && request->depend != NULL)
		rt_depend_wait(self, request->depend, tool ? &task->tool.data : NULL);
	rt_task_count_child(parent);
	if (parent->group != NULL)
		add_relaxed(&parent->group->pending, 1);
	rt_tsan_release(task);
	if (unlikely(request->depend != NULL) && !rt_depend_register(self, task, request->depend))
		return true;
	queue_or_execute(self, task, request->deferrable && !is_included, watched);
	if (is_included)
		execute_left(self);
	return true;
}

static __attribute__((noinline)) bool generate_watched(
    struct rt_thread *self, const struct rt_task_request *request)
{
	return generate(self, request, true);
}

bool rt_task_generate(struct rt_thread *self, const struct rt_task_request *request)
{
	return rt_watched(RT_AT_TASKS) ? generate_watched(self, request)
				       : generate(self, request, false);
}

struct rt_task *rt_task_begin_in_place(
    struct rt_thread *self, const struct rt_task_request *request, void *frame)
{
	struct rt_task *outer = self->task, *tied = self->tied, *task = request->made;
	bool counted = task->flags & RT_TASK_DETACHABLE;
	uint8_t flags = requested_flags(outer, request);

	adopt(self, request, flags | (counted ? RT_TASK_COUNTED : 0));
	if (counted) {
		rt_task_count_child(outer);
		if (outer->group != NULL)
			add_relaxed(&outer->group->pending, 1);
	}
	task->frame = frame;
	task->next = outer;
	if (rt_watched(RT_BY_TOOL)) {
		rt_task_set_enter_frame(outer, frame);
		show_created(self, task, request, true);
		rt_task_set_exit_frame(task, frame);
	}
	if (rt_watched(RT_AT_TASKS))
		rt_task_show_begin(task, outer);
	self->task = task;
	if (!(flags & RT_TASK_UNTIED))
		self->tied = task;
	return tied;
}

void rt_task_end_in_place(struct rt_thread *self, struct rt_task *task, struct rt_task *tied)
{
	struct rt_task *outer = load_relaxed(&task->parent);

	self->task = outer;
	self->tied = tied;
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_end();
	if (rt_watched(RT_BY_TOOL)) {
		rt_task_set_exit_frame(task, NULL);
		rt_task_end_with_tool(self, task, outer, RT_TASK_FINISHED);
		execute_left(self);
		rt_task_set_enter_frame(outer, NULL);
		return;
	}
	rt_task_end(self, task);
	execute_left(self);
}
