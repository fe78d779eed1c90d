/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task, taskwait, taskyield, taskgroup, and task graphs. The arguments of a task are written where
 * they stay, so that a task that is executed at once copies nothing either.
 *
 * clang divides an untied task whose code has places where it may be suspended into parts: at the
 * end of a part the task asks to be generated again and returns. The runtime calls the next part at
 * once, since any thread may continue the task, including this one.
 */
#include "breakpoints.h"
#include "depend.h"
#include "in-place.h"
#include "kmp-task.h"
#include "microtask.h"
#include "race.h"
#include "task-entry.h"

/* A task without a routine exists only for others to depend on. */
static inline void call(int32_t gtid, struct kmp_task *task)
{
	if (likely(task->routine != NULL))
		task->routine(gtid, task);
}

void kmp_task_run(void *argument)
{
	struct kmp_task_head *head = argument;
	struct kmp_task *task = kmp_task_of(head);
	struct rt_thread *self = rt_current;
	int32_t gtid = (int32_t)self->global_number;

	if (unlikely(head->flags & KMP_TASK_DESTRUCTORS) && rt_task_is_cancelled(self->task)) {
		self->task->tool.cancelled = true;
		kmp_task_destroy(head);
		return;
	}
	if (rt_watched(RT_BY_TOOL))
		rt_task_note_exit_frame(self->task);
	if (rt_watched(RT_BY_RACE))
		kmp_note_arguments(2);
	do {
		head->goes_on = 0;
		call(gtid, task);
	} while (unlikely(head->goes_on != 0));
	kmp_task_destroy(head);
}

static uint8_t clauses(uint32_t flags)
{
	_Static_assert(
	    (int)KMP_TASK_TIED << 1 == RT_TASK_UNTIED && (int)KMP_TASK_FINAL << 1 == RT_TASK_FINAL,
	    "the flags translate by a shift");
	return (uint8_t)(((flags ^ KMP_TASK_TIED) & (KMP_TASK_TIED | KMP_TASK_FINAL)) << 1);
}

struct rt_task_request kmp_task_request(const struct kmp_task_head *head)
{
	const struct kmp_task *task = kmp_task_of(head);

	return (struct rt_task_request){
	    .fn = kmp_task_run,
	    .code = (rt_task_fn *)(uintptr_t)task->routine,
	    .size = head->bytes,
	    .deferrable = true,
	    .flags = clauses(head->flags) | (head->task->flags & RT_TASK_DETACHABLE),
	    .shown = head->flags & KMP_TASK_MERGED ? RT_TASK_SHOWN_MERGEABLE : 0,
	    .priority = head->flags & KMP_TASK_PRIORITY
			    ? rt_task_usable_priority(task->data[1].priority)
			    : 0,
	};
}

static size_t rounded(size_t bytes)
{
	return (bytes + 15) & ~(size_t)15;
}

static inline __attribute__((always_inline)) struct kmp_task *task_alloc(
    int32_t flags, size_t bytes, size_t shared_bytes, kmp_routine_fn *routine)
{
	struct rt_thread *self = rt_self();
	size_t shared_at = rounded(bytes);
	struct rt_task *task =
	    rt_task_new(self, sizeof(struct kmp_task_head) + shared_at + shared_bytes);
	struct kmp_task_head *head = task->data;
	struct kmp_task *made = kmp_task_of(head);

	head->task = task;
	head->flags = (uint32_t)flags;
	head->goes_on = 0;
	head->bytes = (uint32_t)(shared_at + shared_bytes);
	head->shared_at = shared_bytes != 0 ? (uint32_t)shared_at : 0;
	if (unlikely(head->flags & KMP_TASK_PROXY))
		rt_task_make_detachable(task);
	if (unlikely(head->flags & KMP_TASK_DESTRUCTORS))
		rt_task_must_run(task);
	made->shareds = shared_bytes != 0 ? (char *)made + shared_at : NULL;
	made->routine = routine;
	made->part = 0;
	return made;
}

KMP_ENTRY(struct kmp_task *, __kmpc_omp_task_alloc, int32_t flags, size_t bytes,
    size_t shared_bytes, kmp_routine_fn *routine)
{
	KMP_UNUSED();
	return task_alloc(flags, bytes, shared_bytes, routine);
}

/* For a target construct with nowait, on the host: an ordinary task. */
KMP_ENTRY(struct kmp_task *, __kmpc_omp_target_task_alloc, int32_t flags, size_t bytes,
    size_t shared_bytes, kmp_routine_fn *routine, int64_t device)
{
	KMP_UNUSED();
	(void)device;
	return task_alloc(flags | KMP_TASK_TIED, bytes, shared_bytes, routine);
}

KMP_ENTRY(void *, __kmpc_task_allow_completion_event, struct kmp_task *task)
{
	KMP_UNUSED();
	return (void *)rt_task_make_detachable(kmp_head_of(task)->task);
}

/*
 * The thread that executes a proxy task elsewhere completes it: any thread, in a team or in none.
 */
LONE_ENTRY(void, __kmpc_proxy_task_completed, int32_t gtid, struct kmp_task *task)
{
	(void)gtid;
	rt_task_fulfill(rt_self(), (uintptr_t)kmp_head_of(task)->task);
}

LONE_ENTRY(void, __kmpc_proxy_task_completed_ooo, struct kmp_task *task)
{
	rt_task_fulfill(rt_self(), (uintptr_t)kmp_head_of(task)->task);
}

LONE_ENTRY(void, __kmpc_invoke_task_func, int32_t gtid, struct kmp_task *task)
{
	call(gtid, task);
}

/* Numbers of the task and of its parent, different for tasks that exist at the same time. */
static int32_t number_of(const struct rt_task *task)
{
	return task != NULL ? (int32_t)((uintptr_t)task / PROCESSOR_LINE & INT32_MAX) : 0;
}

LONE_ENTRY(int32_t, __kmpc_get_taskid, void)
{
	return number_of(rt_self()->task);
}

LONE_ENTRY(int32_t, __kmpc_get_parent_taskid, void)
{
	return number_of(load_relaxed(&rt_self()->task->parent));
}

/* NULL: the task has no dependences, or is executed at once. */
static struct rt_depend_node *node_of(struct kmp_task *task)
{
	return kmp_head_of(task)->task->node;
}

/*
 * As in LLVM's library, a node is opaque, and the list of what waits for it consists of structures
 * of two addresses: a node, and the next structure or NULL. Until the task is completed, the list
 * may grow before the element that was returned.
 */
LONE_ENTRY(struct rt_depend_node *, __kmpc_task_get_depnode, struct kmp_task *task)
{
	return node_of(task);
}

LONE_ENTRY(const struct rt_depend_edge *, __kmpc_task_get_successors, struct kmp_task *task)
{
	return rt_depend_successors(node_of(task));
}

/* The region or group in which the task is generated is cancelled. */
static RT_COLD void discard(struct rt_thread *self, struct kmp_task_head *head)
{
	kmp_task_destroy(head);
	rt_task_give_back(self, head->task);
}

/* May the task be executed at once, by its clauses? */
static inline bool is_plain(uint32_t flags)
{
	return !(flags & (KMP_TASK_DETACHABLE | KMP_TASK_PROXY));
}

static __attribute__((noinline)) void run_now(struct rt_thread *self, struct kmp_task_head *head)
{
	struct rt_task_request request = {
	    .fn = kmp_task_run, .data = head, .made = head->task, .flags = clauses(head->flags)};

	rt_task_run_in_place(self, &request, false);
}

static __attribute__((noinline)) void generate(
    struct rt_thread *self, struct kmp_task_head *head, void **depend)
{
	struct rt_task_request request;

	if (depend == NULL && is_plain(head->flags) && rt_task_has_enough_queued(self)) {
		run_now(self, head);
		return;
	}
	request = kmp_task_request(head);
	request.made = head->task;
	request.depend = depend;
	rt_task_generate(self, &request);
}

static RT_COLD void generate_watched(struct rt_thread *self, struct kmp_task_head *head,
    void **depend, const void *caller, void *frame)
{
	struct rt_task_request request = kmp_task_request(head);
	bool tool = rt_watched(RT_BY_TOOL);

	request.made = head->task;
	request.depend = depend;
	if (depend == NULL && is_plain(head->flags) && !rt_watched(RT_BY_RACE))
		request.deferrable = !rt_task_is_best_now(self);
	if (tool) {
		rt_task_set_enter_frame(self->task, frame);
		caller = rt_tool_users_address(caller);
	}
	request.site = caller;
	if (!rt_task_generate(self, &request))
		discard(self, head);
	if (tool)
		rt_task_set_enter_frame(self->task, NULL);
}

/* Does a part of a divided task request the next one? */
static bool is_next_part(const struct rt_thread *self, const struct kmp_task_head *head)
{
	return !(head->flags & KMP_TASK_TIED) && self->task == head->task;
}

static inline __attribute__((always_inline)) void launch(
    struct kmp_task *task, void **depend, const void *caller, void *frame)
{
	struct kmp_task_head *head = kmp_head_of(task);
	struct rt_thread *self = rt_self();

	if (unlikely(is_next_part(self, head)))
		head->goes_on = 1;
	else if (rt_watched(RT_AT_TASKS))
		generate_watched(self, head, depend, caller, frame);
	else if (depend == NULL && is_plain(head->flags) && rt_task_is_better_now(self))
		run_now(self, head);
	else
		generate(self, head, depend);
}

KMP_ENTRY(int32_t, __kmpc_omp_task, struct kmp_task *task)
{
	KMP_UNUSED();
	launch(task, NULL, GENERATED_HERE, __builtin_dwarf_cfa());
	return 0;
}

LONE_SAME_ENTRY(int32_t, __kmpc_omp_task_parts, __kmpc_omp_task, const struct kmp_ident *ident,
    int32_t gtid, struct kmp_task *task);

KMP_ENTRY(int32_t, __kmpc_omp_task_with_deps, struct kmp_task *task, int32_t count,
    const struct kmp_dependence *items, int32_t more_count, const struct kmp_dependence *more)
{
	struct kmp_depend_list list;

	KMP_UNUSED();
	kmp_depend_begin(&list, count, items, more_count, more);
	launch(task, list.words, GENERATED_HERE, __builtin_dwarf_cfa());
	kmp_depend_finish(&list);
	return 0;
}

/* frame: like self->tool.frame, of the program's code, which calls the routine itself. */
static RT_COLD void show_begin_if0(
    struct rt_thread *self, struct kmp_task_head *head, const void *caller, void *frame)
{
	struct rt_task_request request = kmp_task_request(head);
	struct rt_task *task = head->task, *outer = self->task;

	request.site = caller;
	if (rt_watched(RT_BY_TOOL)) {
		rt_task_set_enter_frame(outer, frame);
		rt_task_show_created(self, task, &request, true);
		rt_task_set_exit_frame(task, frame);
	}
	rt_task_show_begin(task, outer);
}

/* The thread is back in the task before. */
static RT_COLD void end_if0_watched(struct rt_thread *self, struct rt_task *task)
{
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_task_end();
	if (rt_watched(RT_BY_TOOL))
		rt_task_set_exit_frame(task, NULL);
	rt_task_complete_in_place(self, task);
	if (rt_watched(RT_BY_TOOL))
		rt_task_set_enter_frame(self->task, NULL);
}

/*
 * if clause: the program calls the routine between these two calls, after it waited for
 * dependences.
 */
KMP_ENTRY(void, __kmpc_omp_task_begin_if0, struct kmp_task *task)
{
	struct kmp_task_head *head = kmp_head_of(task);
	struct rt_thread *self = rt_self();
	struct rt_task_request request = {
	    .fn = kmp_task_run, .made = head->task, .flags = clauses(head->flags)};

	KMP_UNUSED();
	if (unlikely(head->task->flags & RT_TASK_DETACHABLE)) {
		request.flags |= RT_TASK_COUNTED;
		rt_task_count(self->task);
	}
	rt_task_begin_in_place(self, &request);
	RT_FOR_DEBUGGERS(head->task->frame = __builtin_dwarf_cfa());
	head->task->next = self->task;
	if (rt_watched(RT_AT_TASKS))
		show_begin_if0(self, head, GENERATED_HERE, __builtin_dwarf_cfa());
	head->tied = rt_task_enter(self, head->task);
}

KMP_ENTRY(void, __kmpc_omp_task_complete_if0, struct kmp_task *task)
{
	struct kmp_task_head *head = kmp_head_of(task);
	struct rt_thread *self = rt_self();
	struct rt_task *made = head->task;

	KMP_UNUSED();
	while (head->goes_on != 0) {
		head->goes_on = 0;
		call((int32_t)self->global_number, task);
	}
	kmp_task_destroy(head);
	rt_task_leave(self, load_relaxed(&made->parent), head->tied);
	if (rt_watched(RT_AT_TASKS))
		end_if0_watched(self, made);
	else
		rt_task_end_in_place(self, made, rt_task_left_nothing(made));
}

static void wait_depend(struct rt_thread *self, void **depend)
{
	if (depend == NULL)
		return;
	if (rt_watched(RT_BY_TOOL))
		rt_task_wait_depend_with_tool(self, depend);
	else
		rt_task_wait_depend(self, depend, NULL);
}

KMP_ENTRY(void, __kmpc_omp_wait_deps, int32_t count, const struct kmp_dependence *items,
    int32_t more_count, const struct kmp_dependence *more)
{
	struct kmp_depend_list list;
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	rt_note_call(&self);
	kmp_depend_begin(&list, count, items, more_count, more);
	wait_depend(self, list.words);
	kmp_depend_finish(&list);
}

KMP_ENTRY(void, __kmpc_omp_taskwait_deps_51, int32_t count, const struct kmp_dependence *items,
    int32_t more_count, const struct kmp_dependence *more, int32_t has_nowait)
{
	struct kmp_depend_list list;
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	rt_note_call(&self);
	kmp_depend_begin(&list, count, items, more_count, more);
	if (has_nowait)
		rt_task_generate_empty(self, list.words, GENERATED_HERE);
	else
		wait_depend(self, list.words);
	kmp_depend_finish(&list);
}

KMP_ENTRY_PLAIN(int32_t, __kmpc_omp_taskwait)
{
	KMP_UNUSED();
	if (unlikely(rt_unwatched == NULL))
		rt_race_share(rt_self()); /* lets other threads execute what it waits for */
	CALL(rt_task_wait);
	return 0;
}

KMP_ENTRY(int32_t, __kmpc_omp_taskyield, int32_t end_of_part)
{
	KMP_UNUSED();
	(void)end_of_part;
	CALL(rt_task_yield);
	return 0;
}

KMP_ENTRY_PLAIN(void, __kmpc_taskgroup)
{
	KMP_UNUSED();
	CALL(rt_taskgroup_begin);
}

/* affinity clauses are ignored. */
KMP_ENTRY(int32_t, __kmpc_omp_reg_task_with_affinity, struct kmp_task *task, int32_t count,
    const void *items)
{
	KMP_UNUSED();
	(void)task;
	(void)count;
	(void)items;
	return 0;
}

/* Executes a task graph anew each time instead of recording it. */
KMP_ENTRY(int32_t, __kmpc_start_record_task, int32_t flags, int32_t number)
{
	KMP_UNUSED();
	(void)flags;
	(void)number;
	return 1;
}

KMP_ENTRY(void, __kmpc_end_record_task, int32_t flags, int32_t number)
{
	KMP_UNUSED();
	(void)flags;
	(void)number;
}
