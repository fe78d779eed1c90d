/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a task. It is made with its arguments and queued, executed at once, or, if nothing
 * can observe the difference, called immediately; it is executed, completed and released. For how
 * tasks wait for each other, see rt_task_help_until() and its callers; for dependences, see
 * rt_depend_register().
 *
 * Who sees what:
 *   queueing  the push publishes the task to the thread that takes it (struct rt_deque, struct
 *             rt_ready_queue)
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
#include <string.h>

#include "breakpoints.h"
#include "debug-stores.h"
#include "depend.h"
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

/* Called by the thread that executes the parent. */
static void count_child(struct rt_task *parent)
{
	store_relaxed(&parent->created, load_relaxed(&parent->created) + 1);
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

static void complete(struct rt_thread *self, struct rt_task *task)
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
		count_child(parent); /* its parent's thread executed it, inside the parent */
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

/*
 * Two steps complete a detachable task: its body and its event. Records that one of them has
 * happened; true if it is the second.
 */
static bool detach_step_is_last(struct rt_task *task)
{
	rt_tsan_release(&task->detach);
	if (sub_acq_rel(&task->detach, 1) != 1)
		return false;
	rt_tsan_acquire(&task->detach);
	return true;
}

/* Relaxed: a cancelled task is discarded, and reads nothing that another one wrote before. */
bool rt_task_is_cancelled(const struct rt_task *task)
{
	if (!rt_watched(RT_BY_CANCELLATION))
		return false;
	return load_relaxed(&task->team->cancelled) != 0 || rt_taskgroup_is_cancelled(task->group);
}

/* Threads do not switch to the task of a taskwait construct; its only event is its completion. */
static bool is_taskwait(const struct rt_task *task)
{
	return (task->tool.flags & ompt_task_taskwait) != 0;
}

static void show_begin(struct rt_task *task, struct rt_task *outer)
{
	struct rt_task_tool *tool = &task->tool;

	if (is_taskwait(task))
		return;
	rt_emit_task_schedule(&outer->tool.data,
	    outer->tool.yields ? ompt_task_yield : ompt_task_switch, &tool->data);
	if (tool->chunk.iterations != 0)
		rt_emit_dispatch(&task->team->tool.data, &tool->data, ompt_dispatch_taskloop_chunk,
		    (ompt_data_t){.ptr = &tool->chunk});
}

/* What a tool sees at the end of a task; DISCARDED: the task has not begun. */
enum outcome { NO_TOOL, FINISHED, DISCARDED };

/* Runs the task between the events of tools and the breakpoints, unless it is cancelled. */
static __attribute__((noinline)) enum outcome run_watched(
    struct rt_task *task, struct rt_task *outer, rt_task_fn *fn, void *data)
{
	bool cancelled = !(task->flags & RT_TASK_MUST_RUN) && rt_task_is_cancelled(task);
	bool tool = rt_watched(RT_BY_TOOL);

	if (tool && cancelled)
		return DISCARDED;
	if (tool) {
		task->next = outer;
		rt_task_note_exit_frame(task);
		show_begin(task, outer);
	}
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_begin();
	if (!cancelled)
		fn(data);
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_end();
	if (!tool)
		return NO_TOOL;
	rt_task_set_exit_frame(task, NULL);
	return FINISHED;
}

static inline enum outcome run(
    struct rt_task *task, struct rt_task *outer, rt_task_fn *fn, void *data)
{
	if (rt_watched(RT_AT_TASKS))
		return run_watched(task, outer, fn, data);
	fn(data);
	return NO_TOOL;
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
	if (is_taskwait(task))
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
	if (!is_taskwait(task))
		rt_emit_task_schedule(&task->tool.data, ompt_task_cancel, next);
}

/*
 * detach_step_is_last() with a tool. The tool sees the first step before it can see the last one,
 * because the task may be gone as soon as both are counted. A discarded body is always shown, as
 * the task's last event: it is shown here, where no fulfilment is being shown, and none is shown
 * afterwards.
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

/* Called when the thread is back in `outer`. */
static RT_COLD void end_with_tool(
    struct rt_thread *self, struct rt_task *task, struct rt_task *outer, enum outcome outcome)
{
	bool is_discarded = outcome == DISCARDED;

	if (!(task->flags & RT_TASK_DETACHABLE)) {
		if (is_discarded)
			show_discarded(task, &outer->tool.data);
	} else if (!detach_step_is_last_with_tool(
		       task, ompt_task_detach, &outer->tool.data, is_discarded)) {
		return;
	}
	if (outcome == FINISHED)
		show_end(task, outer);
	complete(self, task);
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
	struct rt_task *outer = self->task, *tied = self->tied;
	enum outcome outcome = NO_TOOL;

	RT_FOR_DEBUGGERS(task->next = outer);
	rt_debug_note_frame(&task->frame);
	self->task = task;
	if (!(task->flags & RT_TASK_UNTIED))
		self->tied = task;
	rt_tsan_acquire(task);
	if (!watched) {
		task->fn(task->data);
	} else {
		if (rt_watched(RT_BY_RACE) && task->node != NULL)
			rt_depend_acquire_sources(self, task->node);
		outcome = run(task, outer, task->fn, task->data);
		if (rt_watched(RT_BY_RACE))
			release_copies(self, task);
	}
	self->task = outer;
	self->tied = tied;
	if (watched && outcome != NO_TOOL) {
		end_with_tool(self, task, outer, outcome);
		return;
	}
	if (unlikely(task->flags & RT_TASK_DETACHABLE) && !detach_step_is_last(task))
		return;
	complete(self, task);
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
	rt_race_pause(self);
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

/* No switch to another task is shown here: the task that the event belongs to may be complete. */
static bool fulfilment_completes(struct rt_task *task)
{
	if (!rt_watched(RT_BY_TOOL))
		return detach_step_is_last(task);
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
		complete(self, task);
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

static _Noreturn void out_of_memory(size_t bytes)
{
	rt_fatal("no memory for a task of %zu bytes; the program ends here", bytes);
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
	struct rt_task *task = rt_slab_take(self->slab);

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
	task->flags = 0;
	task->data = rt_slab_arguments(task);
	if (unlikely(bytes > RT_SLAB_ARGUMENT_BYTES || rt_watched(RT_BY_RACE))) {
		task->data = own_arguments(self, PROCESSOR_LINE, bytes);
		task->flags = RT_TASK_OWNS_DATA;
	}
	return task;
}

void rt_task_give_back(struct rt_thread *self, struct rt_task *task)
{
	store_relaxed(&task->detach, 0);
	recycle(self, task);
}

uintptr_t rt_task_make_detachable(struct rt_task *task)
{
	task->flags |= RT_TASK_DETACHABLE;
	store_relaxed(&task->detach, 2);
	rt_tsan_forget(&task->detach);
	return (uintptr_t)task;
}

/* Makes the task a child of the calling thread's task. */
static void adopt(struct rt_thread *self, struct rt_task *task,
    const struct rt_task_request *request, uint8_t flags)
{
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
	struct rt_task *parent = self->task, *task = rt_slab_take(self->slab);
	void *data = request->data;

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
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
    const struct rt_task_request *request, const void *site, bool undeferred)
{
	struct rt_task_tool *parent = &load_relaxed(&task->parent)->tool, *tool = &task->tool;

	rt_task_tool_init(
	    task, shown_flags(task, request) | (undeferred ? ompt_task_undeferred : 0));
	tool->memory_bytes = request->size;
	if (request->bounds != NULL)
		tool->chunk = (ompt_dispatch_chunk_t){request->bounds[2], request->bounds[3]};
	tool->code = request->code != NULL ? request->code : request->fn;
	self->tool.code = tool->code;
	rt_emit_task_create(
	    &parent->data, &parent->frame, &tool->data, tool->flags, request->depend != NULL, site);
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
    struct rt_task *task, const struct rt_task_request *request, const void *site, bool watched)
{
	bool tool = watched && rt_watched(RT_BY_TOOL);

	if (tool)
		show_created(self, task, request, site, true);
	if (request->depend != NULL)
		rt_depend_wait(self, request->depend, watched && tool ? &task->tool.data : NULL);
	rt_task_execute(self, task);
	execute_left(self);
}

/*
 * Makes a task that is executed at once with its caller's arguments: fn returns before the caller
 * does, so there is nothing to copy, to queue or to count, unless the task leaves children.
 */
static inline __attribute__((always_inline)) struct rt_task *make_included(
    struct rt_thread *self, rt_task_fn *fn, uint8_t flags)
{
	struct rt_task *parent = self->task, *task = rt_slab_take(self->slab);

	if (unlikely(task == NULL))
		out_of_memory(sizeof(*task));
	inherit(task, parent, self->team, flags | (parent->flags & RT_TASK_FINAL));
	(void)fn; /* unused in a build without debugger support */
	RT_FOR_DEBUGGERS(task->fn = fn);
	rt_debug_note_frame(&task->frame);
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
	if (watched)
		run(task, parent, fn, data);
	else
		fn(data);
	self->task = parent;
	self->tied = tied;
	return load_relaxed(&task->created) == 0 && task->icvs_copies == NULL;
}

static RT_COLD void complete_included(struct rt_thread *self, struct rt_task *task)
{
	complete(self, task);
	execute_left(self);
}

static inline __attribute__((always_inline)) void make_and_run_included(
    struct rt_thread *self, rt_task_fn *fn, void *data, uint8_t flags, bool watched)
{
	struct rt_task *task = make_included(self, fn, flags);

	DEBUG_LOG(task, "included task of thread %u: not deferrable, or enough tasks are queued",
	    self->number);
	if (likely(run_included(self, task, fn, data, flags, watched)))
		rt_slab_give(self->slab, task);
	else
		complete_included(self, task);
}

void rt_task_run_made(struct rt_thread *self, struct rt_task *task, rt_task_fn *fn, uint8_t flags)
{
	uint8_t owns = task->flags & RT_TASK_OWNS_DATA;

	inherit(task, self->task, self->team, flags | owns | (self->task->flags & RT_TASK_FINAL));
	RT_FOR_DEBUGGERS(task->fn = fn);
	rt_debug_note_frame(&task->frame);
	if (likely(run_included(self, task, fn, task->data, flags, false) && !owns))
		rt_slab_give(self->slab, task);
	else
		complete_included(self, task);
}

void rt_task_run_included(struct rt_thread *self, rt_task_fn *fn, void *data, uint8_t flags)
{
	make_and_run_included(self, fn, data, flags, false);
}

void rt_task_run_included_watched(struct rt_thread *self, rt_task_fn *fn, void *data, uint8_t flags)
{
	make_and_run_included(self, fn, data, flags, true);
}

void rt_task_run_in_sequence(
    struct rt_thread *self, struct rt_task **task, rt_task_fn *fn, void *data, uint8_t flags)
{
	if (*task == NULL)
		*task = make_included(self, fn, flags);
	if (likely(run_included(self, *task, fn, data, flags, true)))
		return;
	complete(self, *task);
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

/* Returns the requested task; `made`: it has its memory and arguments already, or NULL. */
static inline __attribute__((always_inline)) struct rt_task *complete_made(struct rt_thread *self,
    struct rt_task *made, const struct rt_task_request *request, uint8_t flags)
{
	if (made == NULL)
		return make(self, request, flags);
	adopt(self, made, request, flags);
	return made;
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

static inline __attribute__((always_inline)) bool is_detachable(
    const struct rt_task *made, const struct rt_task_request *request)
{
	return made != NULL ? (made->flags & RT_TASK_DETACHABLE) != 0 : request->event != NULL;
}

/*
 * made: NULL, or a task that has its memory and arguments. watched: the task may be cancelled, or
 * debuggers or tools observe it. Inlined once for each value of `watched`. False: it was not
 * generated.
 */
static inline __attribute__((always_inline)) bool generate(struct rt_thread *self,
    struct rt_task *made, const struct rt_task_request *request, const void *site, bool watched)
{
	struct rt_task *parent = self->task, *task;
	uint8_t flags = (request->untied ? RT_TASK_UNTIED : 0) |
			(request->final || (parent->flags & RT_TASK_FINAL) ? RT_TASK_FINAL : 0);
	bool nests = self->team->size == 1 && !rt_task_queues_children(parent);
	bool alone = nests && !(watched && rt_watched(RT_BY_RACE)) &&
		     (request->depend == NULL || rt_task_children_completed(parent));
	bool is_included, tool = false;

	if (watched && rt_task_is_cancelled(parent))
		return false;
	if ((alone || !request->deferrable || (parent->flags & RT_TASK_FINAL)) &&
	    !is_detachable(made, request)) {
		DEBUG_LOG(task, "executed at once: %s",
		    alone                  ? "the thread is alone in its team"
		    : !request->deferrable ? "if clause, or enough tasks are queued"
					   : "in a final task");
		generate_undeferred(
		    self, complete_made(self, made, request, flags), request, site, watched);
		return true;
	}
	if (unlikely(load_relaxed(&parent->created) >= MANY_CHILDREN))
		rt_task_drain(self, parent);
	is_included = (parent->flags & RT_TASK_FINAL) || nests;
	if (is_detachable(made, request))
		flags |= RT_TASK_DETACHABLE;
	task = complete_made(self, made, request, flags | RT_TASK_COUNTED);
	if (watched) { /* addresses in one object are less than 2^31 apart */
		rt_task_fn *code = request->code != NULL ? request->code : request->fn;
		tool = rt_watched(RT_BY_TOOL);
		task->site = site != NULL ? (int32_t)((intptr_t)site - (intptr_t)code) : 0;
		if (tool)
			show_created(self, task, request, site,
			    !request->deferrable || (is_included && request->depend == NULL &&
							!is_detachable(made, request)));
	}
	if (is_detachable(made, request) && !request->deferrable && request->depend != NULL)
		rt_depend_wait(self, request->depend, tool ? &task->tool.data : NULL);
	count_child(parent);
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

void rt_task_generate_usual(struct rt_thread *self, const struct rt_task_request *request)
{
	generate(self, NULL, request, NULL, false);
}

void rt_task_generate(
    struct rt_thread *self, const struct rt_task_request *request, const void *site)
{
	if (!rt_watched(RT_AT_TASKS))
		rt_task_generate_usual(self, request);
	else
		generate(self, NULL, request, site, true);
}

bool rt_task_generate_made(struct rt_thread *self, struct rt_task *task,
    const struct rt_task_request *request, const void *site)
{
	if (!rt_watched(RT_AT_TASKS))
		return generate(self, task, request, NULL, false);
	return generate(self, task, request, site, true);
}

struct rt_task *rt_task_begin_in_place(struct rt_thread *self, struct rt_task *task,
    const struct rt_task_request *request, const void *site, void *frame)
{
	struct rt_task *outer = self->task, *tied = self->tied;
	bool counted = task->flags & RT_TASK_DETACHABLE;
	uint8_t flags = (request->untied ? RT_TASK_UNTIED : 0) |
			(request->final || (outer->flags & RT_TASK_FINAL) ? RT_TASK_FINAL : 0);

	adopt(self, task, request, flags | (counted ? RT_TASK_COUNTED : 0));
	if (counted) {
		count_child(outer);
		if (outer->group != NULL)
			add_relaxed(&outer->group->pending, 1);
	}
	task->frame = frame;
	task->next = outer;
	if (rt_watched(RT_BY_TOOL)) {
		rt_task_set_enter_frame(outer, frame);
		show_created(self, task, request, site, true);
		rt_task_set_exit_frame(task, frame);
		show_begin(task, outer);
	}
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_begin();
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
		end_with_tool(self, task, outer, FINISHED);
		execute_left(self);
		rt_task_set_enter_frame(outer, NULL);
		return;
	}
	if (unlikely(task->flags & RT_TASK_DETACHABLE) && !detach_step_is_last(task))
		return;
	complete(self, task);
	execute_left(self);
}
