/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel regions, leagues, and the implicit tasks of their members.
 */
#include "check.h"

#include <stdlib.h>

struct task *named_task(struct thread *me, ompt_data_t *task_data)
{
	struct task *task = find_task(task_data);

	if (task != me->current && (task || !me->current))
		violation(RULE_current_task, "task data %p, expected %p", (void *)task_data,
		    me->current ? (void *)me->current->home : NULL);
	if (!me->current)
		return task;
	task = me->current;
	if (task->undeferred) {
		if (load(&task->undeferred->state) != TASK_FINISHED &&
		    !(load(&task->undeferred->fulfilled) & BLOCK_ENDED))
			violation(RULE_task_undeferred, "the block of task %p has not ended",
			    (void *)task->undeferred->home);
		task_drop(task->undeferred);
		task->undeferred = NULL;
	}
	return task;
}

void named_parallel(struct task *task, ompt_data_t *parallel_data)
{
	if (task->parallel && !is_data_of(parallel_data, task->parallel->handle))
		violation(RULE_current_task, "region data %p, expected %p", (void *)parallel_data,
		    (void *)task->parallel->home);
}

static void parallel_begin(ompt_data_t *task_data, const ompt_frame_t *frame, ompt_data_t *data,
    unsigned requested, int flags, const void *code)
{
	struct thread *me = enter(EVENT_parallel_begin);
	struct task *task = me ? named_task(me, task_data) : NULL;
	struct parallel *parallel = task ? parallel_new(data) : NULL;
	int invoker = flags & (ompt_parallel_invoker_program | ompt_parallel_invoker_runtime);
	int kind = flags & (int)(ompt_parallel_league | ompt_parallel_team);

	if (!parallel)
		return;
	if ((invoker != ompt_parallel_invoker_program &&
		invoker != ompt_parallel_invoker_runtime) ||
	    (kind != (int)ompt_parallel_league && kind != (int)ompt_parallel_team) ||
	    flags != (invoker | kind))
		violation(RULE_parallel_flags, "flags are %#x", (unsigned)flags);
	parallel->flags = flags;
	parallel->requested = requested;
	parallel->starter = me->number;
	parallel->encountering = task;
	task_keep(task);
	parallel->parent = task->parallel;
	parallel->begun_before = task->regions;
	task->regions = parallel;
	check_code(code, true);
	check_frames(frame, true);
	ask(me);
}
const ompt_callback_parallel_begin_t on_parallel_begin = parallel_begin;

static void check_members(const struct parallel *parallel)
{
	unsigned size = load(&parallel->size), begun = load(&parallel->begun);

	if (!size || begun != size)
		violation(RULE_parallel_members, "%u implicit tasks, expected %u", begun, size);
	if (parallel->requested && size > parallel->requested)
		violation(RULE_parallel_size, "actual parallelism %u, requested %u", size,
		    parallel->requested);
	if (load(&parallel->live_tasks))
		violation(RULE_task_left, "%d explicit tasks of the region have not finished",
		    load(&parallel->live_tasks));
}

static void parallel_end(ompt_data_t *data, ompt_data_t *task_data, int flags, const void *code)
{
	struct thread *me = enter(EVENT_parallel_end);
	struct parallel *parallel = me ? find_parallel(data) : NULL;
	struct task *task = parallel ? named_task(me, task_data) : NULL;

	if (!task)
		return;
	if (task->regions != parallel || me->number != parallel->starter)
		violation(RULE_parallel_nesting,
		    "region %p, begun by thread %u in task %p, expected %p", (void *)data,
		    parallel->starter, (void *)parallel->encountering->home,
		    task->regions ? (void *)task->regions->home : NULL);
	if (task != parallel->encountering || flags != parallel->flags)
		violation(RULE_parallel_same, "task %p and flags %#x, expected %p and %#x",
		    (void *)task_data, (unsigned)flags, (void *)parallel->encountering->home,
		    (unsigned)parallel->flags);
	check_members(parallel);
	check_code(code, false);
	ask(me);
	if (task->regions == parallel)
		task->regions = parallel->begun_before;
	store(&parallel->over, true);
	task_drop(parallel->encountering);
	parallel_drop(parallel);
}
const ompt_callback_parallel_end_t on_parallel_end = parallel_end;

/* Each member's number is unique, and all members report the same size. */
static void count_member(struct parallel *parallel, unsigned size, unsigned index)
{
	uint64_t *indices = __atomic_load_n(&parallel->indices, __ATOMIC_ACQUIRE), *none = NULL;
	unsigned known = 0;

	if (!__atomic_compare_exchange_n(
		&parallel->size, &known, size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    known != size)
		violation(RULE_parallel_members, "actual parallelism %u, %u for another member",
		    size, known);
	add(&parallel->begun, 1);
	if (index >= size) {
		violation(RULE_implicit_index, "member %u of %u", index, size);
		return;
	}
	if (!indices) {
		indices = calloc(size / 64 + 1, sizeof *indices);
		if (!indices)
			abort();
		if (!__atomic_compare_exchange_n(&parallel->indices, &none, indices, false,
			__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			free(indices);
			indices = none;
		}
	}
	if (known <= size &&
	    __atomic_fetch_or(&indices[index / 64], 1ull << index % 64, __ATOMIC_RELAXED) >>
		    index % 64 &
		1)
		violation(RULE_implicit_index, "there is a member %u already", index);
}

/* The region of a task that begins. That of an initial task outside teams begins with the task. */
static struct parallel *region_of(ompt_data_t *data, int flags)
{
	struct parallel *parallel;

	if (!(flags & ompt_task_initial) || (data && data->value))
		return find_parallel(data);
	parallel = parallel_new(data);
	if (parallel)
		store(&parallel->size, 1);
	return parallel;
}

static void implicit_begin(struct thread *me, ompt_data_t *parallel_data, ompt_data_t *task_data,
    unsigned size, unsigned index, int flags)
{
	struct parallel *parallel = region_of(parallel_data, flags);
	int kind = flags & 0x1f;
	struct task *task = parallel ? task_new(task_data, flags) : NULL;

	if (!task)
		return;
	if (kind != ompt_task_initial && kind != ompt_task_implicit)
		violation(RULE_implicit_flags, "flags are %#x", (unsigned)flags);
	if (parallel->encountering) {
		count_member(parallel, size, index);
		if (index == 0 && me->number != parallel->starter)
			violation(
			    RULE_parallel_primary, "thread %u began the region", parallel->starter);
		task_keep(parallel->encountering);
	} else if (size != 1 || index != 1) {
		violation(
		    RULE_implicit_index, "initial task %u of %u, expected 1 of 1", index, size);
	}
	task->parent = parallel->encountering;
	task->parallel = parallel;
	if (parallel->encountering)
		parallel_keep(parallel); /* otherwise the reference is the task's own */
	task->index = index;
	task->tied_to = me->number;
	task->below = me->current;
	task->state = TASK_RUNNING;
	me->current = task;
	ask(me);
}

static void implicit_end(struct thread *me, ompt_data_t *parallel_data, ompt_data_t *task_data,
    unsigned size, unsigned index, int flags)
{
	struct task *task = find_task(task_data);

	if (!task)
		return;
	if (task != me->current) {
		violation(RULE_implicit_pair, "task %p, expected %p", (void *)task_data,
		    me->current ? (void *)me->current->home : NULL);
		return;
	}
	if (index != task->index || ((flags ^ task->flags) & 0x1f))
		violation(RULE_implicit_pair, "number %u and flags %#x, expected %u and %#x", index,
		    (unsigned)flags, task->index, (unsigned)task->flags);
	if (parallel_data || size)
		violation(RULE_implicit_end_arguments,
		    "region data %p and parallelism %u, expected (nil) and 0",
		    (void *)parallel_data, size);
	if ((task->flags & ompt_task_implicit) && !task->last_barrier)
		violation(RULE_implicit_barrier, "member %u has not passed it", task->index);
	me->current = task->below;
	task_finish(task);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
    ompt_data_t *task_data, unsigned size, unsigned index, int flags)
{
	struct thread *me = enter(EVENT_implicit_task);

	if (!me)
		return;
	if (endpoint == ompt_scope_begin)
		implicit_begin(me, parallel_data, task_data, size, index, flags);
	else if (endpoint == ompt_scope_end)
		implicit_end(me, parallel_data, task_data, size, index, flags);
	else
		violation(RULE_scope_endpoint, "endpoint %d, expected 1 or 2", (int)endpoint);
}
const ompt_callback_implicit_task_t on_implicit_task = implicit_task;
