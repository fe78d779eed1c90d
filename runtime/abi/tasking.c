/* SPDX-License-Identifier: BSD-3-Clause */
/* task, taskloop, taskwait, taskgroup, taskyield and their reductions. */
#include "in-place.h"
#include "loops.h"
#include "race.h"
#include "reduction.h"
#include "synchronization.h"
#include "task-entry.h"
#include "taskloop.h"

enum gomp_task_flags {
	TASK_UNTIED = 1,
	TASK_FINAL = 2,
	TASK_MERGEABLE = 4,
	TASK_DEPEND = 8,
	TASK_PRIORITY = 16,
	TASK_UP = 1 << 8,
	TASK_GRAINSIZE = 1 << 9,
	TASK_IF = 1 << 10,
	TASK_NOGROUP = 1 << 11,
	TASK_REDUCTION = 1 << 12,
	TASK_DETACH = 1 << 13,
	TASK_STRICT = 1 << 14,
};

static int32_t usable_priority(unsigned flags, int priority)
{
	return flags & TASK_PRIORITY ? rt_task_usable_priority(priority) : 0;
}

/* Could the task be executed at once with the caller's arguments? */
static inline bool is_plain(rt_copy_fn *copy, unsigned flags)
{
	return copy == NULL && !(flags & (TASK_DEPEND | TASK_DETACH));
}

static inline uint8_t clauses(unsigned flags)
{
	_Static_assert(
	    (int)TASK_UNTIED << 1 == RT_TASK_UNTIED && (int)TASK_FINAL << 1 == RT_TASK_FINAL,
	    "the flags translate by a shift");
	return (uint8_t)((flags & (TASK_UNTIED | TASK_FINAL)) << 1);
}

static inline uint8_t shown(unsigned flags)
{
	return flags & TASK_MERGEABLE ? RT_TASK_SHOWN_MERGEABLE : 0;
}

/*
 * Fills the caller's request in place. If this function returned the structure, gcc would copy it
 * by wide loads, which wait for the narrow stores of the fields.
 */
static inline void fill_request(struct rt_task_request *request, rt_task_fn *fn, void *data,
    rt_copy_fn *copy, long size, long align, bool deferrable, unsigned flags, void **depend,
    int priority, void *event)
{
	*request = (struct rt_task_request){
	    .fn = fn,
	    .data = data,
	    .copy = copy,
	    .size = (size_t)size,
	    .align = (size_t)align,
	    .deferrable = deferrable,
	    .flags = clauses(flags) | (flags & TASK_DETACH ? RT_TASK_DETACHABLE : 0),
	    .shown = shown(flags),
	    .priority = usable_priority(flags, priority),
	    .depend = flags & TASK_DEPEND ? depend : NULL,
	    .event = flags & TASK_DETACH ? event : NULL,
	};
}

static inline __attribute__((always_inline)) void run_now(
    struct rt_thread *self, rt_task_fn *fn, void *data, unsigned flags)
{
	struct rt_task_request request = {.fn = fn, .data = data, .flags = clauses(flags)};

	rt_task_run_in_place(self, &request, false);
}

/* The cases that GOMP_task cannot decide in a few instructions. */
static __attribute__((noinline)) void generate(rt_task_fn *fn, void *data, rt_copy_fn *copy,
    long size, long align, bool deferrable, unsigned flags, void **depend, int priority,
    void *event)
{
	struct rt_thread *self = rt_current;
	struct rt_task_request request;

	if (is_plain(copy, flags) && rt_task_has_enough_queued(self)) {
		run_now(self, fn, data, flags);
		return;
	}
	fill_request(
	    &request, fn, data, copy, size, align, deferrable, flags, depend, priority, event);
	rt_task_generate(self, &request);
}

/*
 * For a thread that may be new, and for what few programs request. This function reuses GOMP_task's
 * frame, so its caller is the caller of GOMP_task.
 */
static __attribute__((noinline, cold)) void generate_watched(rt_task_fn *fn, void *data,
    rt_copy_fn *copy, long size, long align, bool deferrable, unsigned flags, void **depend,
    int priority, void *event)
{
	bool is_new = rt_current == NULL;
	struct rt_thread *self = rt_self();
	struct rt_task_request request;
	bool now = is_plain(copy, flags) && (!deferrable || !rt_watched(RT_BY_RACE)) &&
		   (!deferrable || rt_task_is_best_now(self));

	fill_request(
	    &request, fn, data, copy, size, align, deferrable, flags, depend, priority, event);
	if (rt_watched(RT_BY_TOOL)) {
		if (is_new)
			rt_tool_note_call(self, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());
		else
			rt_tool_note_call(self, self->tool.codeptr, self->tool.frame);
		request.deferrable = deferrable && !now;
		rt_task_generate_with_tool(self, &request);
	} else if (now) {
		rt_task_run_in_place(self, &request, true);
	} else {
		request.site = GENERATED_HERE;
		rt_task_generate(self, &request);
	}
}

/*
 * Executes most tasks itself: what it decides and calls shares one frame with that. The other calls
 * come at its end, see generate_watched().
 */
ENTRY(void, GOMP_task, rt_task_fn *fn, void *data, rt_copy_fn *copy, long size, long align,
    bool deferrable, unsigned flags, void **depend, int priority, void *event)
{
	struct rt_thread *self = rt_current;

	if (unlikely(self == NULL || rt_watched(RT_AT_TASKS))) {
		if (self != NULL) {
			self->tool.codeptr = RT_RETURN_ADDRESS;
			self->tool.frame = __builtin_dwarf_cfa();
		}
		generate_watched(
		    fn, data, copy, size, align, deferrable, flags, depend, priority, event);
	} else if (is_plain(copy, flags) && (!deferrable || rt_task_is_better_now(self))) {
		run_now(self, fn, data, flags);
	} else {
		generate(fn, data, copy, size, align, deferrable, flags, depend, priority, event);
	}
}

/*
 * The data of a taskloop's task begins with its bounds; the reductions' address is the third word.
 */
static inline void fill_taskloop(struct rt_taskloop *taskloop, const struct rt_loop_args *loop,
    const struct rt_task_request *request, unsigned flags, unsigned long amount, const void *site)
{
	*taskloop = (struct rt_taskloop){
	    .request = *request,
	    .start = loop->start,
	    .end = loop->end,
	    .step = loop->step,
	    .count = loop->count,
	    .amount = amount,
	    .is_grainsize = (flags & TASK_GRAINSIZE) != 0,
	    .is_strict = (flags & TASK_STRICT) != 0,
	    .has_group = !(flags & TASK_NOGROUP),
	    .reductions = flags & TASK_REDUCTION ? ((uintptr_t **)request->data)[2] : NULL,
	};
	taskloop->request.site = site;
}

static struct rt_task_request taskloop_request(rt_task_fn *fn, void *data, rt_copy_fn *copy,
    long size, long align, unsigned flags, int priority)
{
	return (struct rt_task_request){
	    .fn = fn,
	    .data = data,
	    .copy = copy,
	    .size = (size_t)size,
	    .align = (size_t)align,
	    .deferrable = (flags & TASK_IF) != 0,
	    .flags = clauses(flags),
	    .shown = shown(flags),
	    .priority = usable_priority(flags, priority),
	};
}

ENTRY(void, GOMP_taskloop, rt_task_fn *fn, void *data, rt_copy_fn *copy, long size, long align,
    unsigned flags, unsigned long amount, int priority, long start, long end, long step)
{
	struct rt_loop_args loop = rt_loop_args_signed(start, end, step);
	struct rt_task_request request =
	    taskloop_request(fn, data, copy, size, align, flags, priority);
	struct rt_thread *self = rt_self();
	struct rt_taskloop taskloop;

	fill_taskloop(&taskloop, &loop, &request, flags, amount, GENERATED_HERE);
	if (rt_note_call(&self))
		rt_taskloop_with_tool(self, &taskloop);
	else
		rt_taskloop(self, &taskloop);
}

ENTRY(void, GOMP_taskloop_ull, rt_task_fn *fn, void *data, rt_copy_fn *copy, long size, long align,
    unsigned flags, unsigned long amount, int priority, gomp_ull start, gomp_ull end, gomp_ull step)
{
	struct rt_loop_args loop = rt_loop_args_unsigned((flags & TASK_UP) != 0, start, end, step);
	struct rt_task_request request =
	    taskloop_request(fn, data, copy, size, align, flags, priority);
	struct rt_thread *self = rt_self();
	struct rt_taskloop taskloop;

	fill_taskloop(&taskloop, &loop, &request, flags, amount, GENERATED_HERE);
	if (rt_note_call(&self))
		rt_taskloop_with_tool(self, &taskloop);
	else
		rt_taskloop(self, &taskloop);
}

ENTRY(void, GOMP_taskwait, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		rt_task_wait(self);
		return;
	}
	self = rt_self();
	rt_race_share(self); /* lets other threads execute what it waits for */
	if (rt_note_call(&self))
		rt_task_wait_with_tool(self);
	else
		rt_task_wait(self);
}

ENTRY(void, GOMP_taskwait_depend, void **depend)
{
	struct rt_thread *self = rt_self();

	if (rt_note_call(&self))
		rt_task_wait_depend_with_tool(self, depend);
	else
		rt_task_wait_depend(self, depend, NULL);
}

static void nothing(void *data)
{
	(void)data;
}

void rt_task_generate_empty(struct rt_thread *self, void **depend, const void *site)
{
	struct rt_task_request request = {.fn = nothing,
	    .data = depend,
	    .deferrable = true,
	    .shown = RT_TASK_SHOWN_TASKWAIT,
	    .depend = depend,
	    .site = site};

	if (rt_watched(RT_BY_TOOL))
		rt_task_generate_with_tool(self, &request);
	else
		rt_task_generate(self, &request);
}

ENTRY(void, GOMP_taskwait_depend_nowait, void **depend)
{
	struct rt_thread *self = rt_self();

	rt_note_call(&self);
	rt_task_generate_empty(self, depend, GENERATED_HERE);
}

ENTRY(void, GOMP_taskyield, void)
{
	CALL(rt_task_yield);
}

ENTRY(void, GOMP_taskgroup_start, void)
{
	CALL(rt_taskgroup_begin);
}

ENTRY(void, GOMP_taskgroup_end, void)
{
	CALL(rt_taskgroup_end);
}

ENTRY(void, GOMP_taskgroup_reduction_register, uintptr_t *reductions)
{
	rt_reduction_register(rt_self(), reductions);
}

ENTRY(void, GOMP_taskgroup_reduction_unregister, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();

	if (rt_note_call(&self))
		rt_reduction_combine_end_with_tool(self);
	rt_reduction_unregister(reductions);
}

ENTRY(void, GOMP_task_reduction_remap, size_t count, size_t originals, void **addresses)
{
	rt_reduction_remap(rt_self(), count, originals, addresses);
}

ENTRY(void, GOMP_workshare_task_reduction_unregister, bool cancelled)
{
	struct rt_thread *self = rt_self();
	uintptr_t *reductions;

	if (rt_note_call(&self) && self->task->group->is_combined)
		rt_reduction_combine_end_with_tool(self);
	reductions = rt_reduction_leave(self);
	if (!cancelled)
		RT_PASS_BARRIER(rt_unwatched, ompt_sync_region_barrier_implicit_workshare);
	rt_reduction_unshare(self, reductions, cancelled);
}
