/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task is made with its arguments and queued or executed at once; or, if nothing can observe the
 * difference, it is executed in place (see in-place.h). For what comes then, see rt_task_execute()
 * and rt_task_complete(); for how tasks wait for each other, rt_task_help_until() and its callers;
 * for dependences, rt_depend_register(). A push publishes the task to the thread that takes it
 * (struct rt_deque, struct rt_ready_queue).
 */
#include <stdlib.h>
#include <string.h>

#include "depend.h"
#include "in-place.h"
#include "message.h"
#include "race.h"
#include "shared/debug-log.h"
#include "shared/race-log.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "watch.h"

/* Number of children after which the counters are reset to zero, long before they overflow. */
#define MANY_CHILDREN (UINT32_C(1) << 30)

_Static_assert(sizeof(struct team_position) <= RT_SLAB_ARGUMENT_BYTES, "a position fits a block");

void rt_task_no_memory(size_t bytes)
{
	rt_fatal("no memory for a task of %zu bytes; the program ends here", bytes);
}

/* Memory for arguments for which a block has no room, or that no other task may have had. */
static void *own_arguments(struct rt_thread *self, size_t align, size_t bytes)
{
	size_t room = (bytes + align - 1) & ~(align - 1);
	void *hidden = rt_race_hide(self);
	void *data = aligned_alloc(align, room);

	rt_race_show(hidden);
	if (data == NULL)
		rt_task_no_memory(bytes);
	return data;
}

/* A task that is not yet a child of any, with room for its arguments. */
static inline __attribute__((always_inline)) struct rt_task *new_task(
    struct rt_thread *self, size_t align, size_t bytes)
{
	struct rt_task *task = rt_task_take_record(self);

	task->flags = 0;
	task->data = rt_slab_arguments(task);
	if (unlikely(bytes > RT_SLAB_ARGUMENT_BYTES || align > PROCESSOR_LINE ||
		     rt_watched(RT_BY_RACE))) {
		task->data = own_arguments(self, align, bytes);
		task->flags = RT_TASK_OWNS_DATA;
	}
	return task;
}

struct rt_task *rt_task_new(struct rt_thread *self, size_t bytes)
{
	return new_task(self, PROCESSOR_LINE, bytes);
}

uintptr_t rt_task_make_detachable(struct rt_task *task)
{
	task->flags |= RT_TASK_DETACHABLE;
	store_relaxed(&task->detach, 2);
	rt_tsan_forget(&task->detach);
	return (uintptr_t)task;
}

/* Makes a task with a copy of the arguments. */
static struct rt_task *make(struct rt_thread *self, const struct rt_task_request *request)
{
	size_t align = request->align > sizeof(void *) ? request->align : sizeof(void *);
	struct rt_task *task = new_task(self, align, request->size);
	void *data = task->data;

	if (request->event != NULL) {
		/* The handle is also the first argument; the arguments were made before it. */
		*request->event = task;
		*(void **)request->data = task;
		rt_task_make_detachable(task);
	}
	if (request->copy != NULL) {
		task->flags |= RT_TASK_MUST_RUN;
		request->copy(data, request->data);
	} else if (request->size > 0) { /* without arguments: NULL */
		void *hidden = rt_race_hide(self);
		memcpy(data, request->data, request->size);
		rt_race_show(hidden);
	}
	if (request->bounds != NULL)
		memcpy(data, request->bounds, 2 * sizeof(*request->bounds));
	return task;
}

/*
 * Can the task use the arguments of the caller? A task with a copying function has its own, since
 * its code may destroy them.
 */
static inline bool shares_arguments(const struct rt_task_request *request)
{
	return request->copy == NULL && request->bounds == NULL;
}

/* Makes the requested task a child of the thread's task, which waits without RT_TASK_COUNTED. */
static inline __attribute__((always_inline)) struct rt_task *take(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags)
{
	struct rt_task *task = request->made;

	if (task != NULL) {
		flags |= task->flags & RT_TASK_OF_RECORD;
	} else if ((flags & RT_TASK_COUNTED) || !shares_arguments(request)) {
		task = make(self, request);
		flags |= task->flags;
	} else {
		task = rt_task_take_record(self);
		task->data = request->data;
	}
	rt_task_inherit(self, task, flags);
	task->priority = request->priority;
	task->fn = request->fn;
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

RT_COLD void rt_task_show_created(struct rt_thread *self, struct rt_task *task,
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
static RT_COLD void execute_those_left(struct rt_thread *self)
{
	const struct rt_task *task = self->task;

	if (self->team->size != 1 || !(task->flags & RT_TASK_IMPLICIT))
		return;
	while (!rt_task_children_released(task) && rt_task_run_one(self, task))
		;
}

static inline void execute_left(struct rt_thread *self)
{
	if (!rt_task_children_released(self->task))
		execute_those_left(self);
}

RT_COLD void rt_task_complete_in_place(struct rt_thread *self, struct rt_task *task)
{
	if (rt_watched(RT_BY_TOOL))
		rt_task_end_with_tool(self, task, self->task, RT_TASK_FINISHED);
	else
		rt_task_end(self, task);
	execute_left(self);
}

/* The parent continues only after the task has been executed. */
static inline __attribute__((always_inline)) void execute_undeferred(
    struct rt_thread *self, const struct rt_task_request *request, uint8_t flags, bool watched)
{
	bool tool = watched && rt_watched(RT_BY_TOOL);
	bool apart = tool || !shares_arguments(request) || (watched && rt_watched(RT_BY_RACE));
	struct rt_task *task = NULL;

	if (apart)
		task = take(self, request, flags);
	if (tool)
		rt_task_show_created(self, task, request, true);
	if (request->depend != NULL)
		rt_depend_wait(self, request->depend, tool ? &task->tool.data : NULL);
	if (apart)
		rt_task_execute(self, task);
	else
		rt_task_run_in_place(self, request, watched);
	execute_left(self);
}

static inline uint8_t requested_flags(
    const struct rt_task *parent, const struct rt_task_request *request)
{
	return request->flags | (parent->flags & RT_TASK_FINAL);
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

/*
 * Generates a task that counts in its parent, and queues it unless that would be of no use: at_once
 * is true in a final task, and in a team of one unless too many tasks nest.
 */
static inline __attribute__((always_inline)) void generate_counted(struct rt_thread *self,
    const struct rt_task_request *request, uint8_t flags, bool at_once, bool watched)
{
	struct rt_task *parent = self->task, *task;
	bool tool = watched && rt_watched(RT_BY_TOOL);

	if (unlikely(load_relaxed(&parent->created) >= MANY_CHILDREN))
		rt_task_drain(self, parent);
	task = take(self, request, flags | RT_TASK_COUNTED);
	if (watched) { /* addresses in one object are less than 2^31 apart */
		rt_task_fn *code = request->code != NULL ? request->code : request->fn;
		intptr_t site = (intptr_t)request->site;
		task->site = site != 0 ? (int32_t)(site - (intptr_t)code) : 0;
	}
	if (tool)
		rt_task_show_created(self, task, request,
		    !request->deferrable ||
			(at_once && request->depend == NULL && !(flags & RT_TASK_DETACHABLE)));
	if (unlikely(!request->deferrable) && request->depend != NULL)
		rt_depend_wait(self, request->depend, tool ? &task->tool.data : NULL);
	rt_task_count(parent);
	if (watched && rt_watched(RT_BY_RACE))
		rt_race_task_made(rt_slab_arguments(task));
	rt_tsan_release(task);
	if (unlikely(request->depend != NULL) && !rt_depend_register(self, task, request->depend))
		return;
	queue_or_execute(self, task, request->deferrable && !at_once, watched);
	if (at_once)
		execute_left(self);
}

/*
 * watched: the task may be cancelled, or debuggers or tools observe it. Inlined once for each
 * value. False: it was not generated.
 *
 * An undeferred task does not count. In a team of one a task whose dependences are not fulfilled is
 * not undeferred, because this thread may have to continue before they can be.
 */
static inline __attribute__((always_inline)) bool generate(
    struct rt_thread *self, const struct rt_task_request *request, bool watched)
{
	struct rt_task *parent = self->task;
	uint8_t flags = requested_flags(parent, request);
	bool nests = self->team->size == 1 && !rt_task_queues_children(parent);

	if (watched && rt_task_is_cancelled(parent))
		return false;
	if (!(flags & RT_TASK_DETACHABLE) &&
	    (!request->deferrable || (parent->flags & RT_TASK_FINAL) ||
		(nests && !(watched && rt_watched(RT_BY_RACE)) &&
		    (request->depend == NULL || rt_task_children_completed(parent)))))
		execute_undeferred(self, request, flags, watched);
	else
		generate_counted(
		    self, request, flags, nests || (parent->flags & RT_TASK_FINAL), watched);
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
