/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing, synchronization, reductions and masked regions of a task, and what the members of a
 * team do together: they meet the same regions in the same order, one member executes a single
 * region, each iteration is executed once, and no member leaves a barrier before the last one has
 * arrived.
 */
#include "check.h"

#include <stdlib.h>

static bool is_loop(int kind)
{
	return kind == ompt_work_loop ||
	       (kind >= ompt_work_loop_static && kind <= ompt_work_loop_other);
}

/* Kinds that may be the same construct for different members. */
static int construct_of(int kind)
{
	return kind == ompt_work_single_other ? ompt_work_single_executor : kind;
}

static bool is_pair(int endpoint)
{
	if (endpoint != ompt_scope_begin && endpoint != ompt_scope_end)
		violation(RULE_scope_endpoint, "endpoint %d, expected 1 or 2", endpoint);
	return endpoint == ompt_scope_begin || endpoint == ompt_scope_end;
}

/*
 * The first member sets the values of the meeting; returns false if another member has set others.
 */
static bool agree(struct meeting *meeting, int kind, uint64_t count, int *other, uint64_t *others)
{
	int none = 0;
	uint64_t nothing = 0;

	if (!__atomic_compare_exchange_n(
		&meeting->kind, &none, kind, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    none != kind) {
		*other = none;
		*others = load(&meeting->count);
		return false;
	}
	if (!__atomic_compare_exchange_n(
		&meeting->count, &nothing, count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    nothing != count) {
		*other = kind;
		*others = nothing;
		return false;
	}
	return true;
}

static void work_begin(struct task *task, ompt_work_t kind, uint64_t count, const void *code)
{
	struct scope *scope = scope_begin(task, SCOPE_WORK, kind);
	bool is_implicit = (task->flags & (ompt_task_implicit | ompt_task_initial)) != 0;
	bool is_single = construct_of(kind) == ompt_work_single_executor;
	struct meeting *meeting;
	uint64_t others;
	int other;

	scope->count = count;
	check_code(code, true);
	if (is_single && count != 1)
		violation(RULE_work_single, "count %llu, expected 1", (unsigned long long)count);
	if (kind == ompt_work_taskloop)
		return;
	if (!is_implicit)
		violation(
		    RULE_work_in_implicit, "work %d in task %p", (int)kind, (void *)task->home);
	if (!is_implicit || !task->parallel)
		return;
	scope->number = task->works++;
	meeting = meeting_find(task->parallel, &task->parallel->works, scope->number);
	scope->meeting = meeting;
	if (!meeting)
		return;
	add(&meeting->begun, 1);
	if (kind == ompt_work_single_executor)
		add(&meeting->executors, 1);
	if (!agree(meeting, construct_of(kind), count, &other, &others))
		violation(RULE_work_same,
		    "region %llu of member %u is work %d of %llu, of another %d of %llu",
		    (unsigned long long)scope->number, task->index, construct_of(kind),
		    (unsigned long long)count, other, (unsigned long long)others);
}

/* A count of 0 means that the runtime does not know it: the program divides the loop. */
static void check_iterations(uint64_t found, uint64_t expected)
{
	if (expected && found != expected)
		violation(RULE_dispatch_chunk, "chunks of %llu iterations in all, expected %llu",
		    (unsigned long long)found, (unsigned long long)expected);
}

/* All members have left: checks what no single member can check. */
static void work_is_over(struct meeting *meeting, int kind)
{
	unsigned executors = load(&meeting->executors);

	if (construct_of(kind) == ompt_work_single_executor && executors != 1)
		violation(RULE_work_single, "%u executors, expected 1", executors);
	if (is_loop(kind) && load(&meeting->dispatched))
		check_iterations(load(&meeting->iterations), load(&meeting->count));
}

static void work_end(struct task *task, ompt_work_t kind)
{
	struct parallel *parallel = task->parallel;
	struct meeting *meeting;
	struct scope scope;

	if (!scope_end(task, SCOPE_WORK, kind, &scope) || kind == ompt_work_taskloop || !parallel ||
	    !(task->flags & (ompt_task_implicit | ompt_task_initial)) || load(&parallel->cancelled))
		return;
	if (load(&parallel->size) == 1) {
		if (construct_of(kind) == ompt_work_single_executor &&
		    kind == ompt_work_single_other)
			violation(RULE_work_single, "no executor in a team of one");
		if (is_loop(kind) && scope.iterations)
			check_iterations(scope.iterations, scope.count);
		return;
	}
	meeting = scope.meeting;
	if (!meeting)
		return;
	if (scope.iterations) {
		add(&meeting->iterations, scope.iterations);
		store(&meeting->dispatched, true);
	}
	/* The place may be reused as soon as all members have ended. */
	if (__atomic_add_fetch(&meeting->left, 1, __ATOMIC_ACQ_REL) == load(&parallel->size))
		work_is_over(meeting, kind);
	__atomic_add_fetch(&meeting->ended, 1, __ATOMIC_RELEASE);
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
    ompt_data_t *task_data, uint64_t count, const void *code)
{
	struct thread *me = enter(EVENT_work);
	struct task *task = me ? named_task(me, task_data) : NULL;

	if (!task || !is_pair(endpoint))
		return;
	named_parallel(task, parallel_data);
	if (kind < ompt_work_loop || kind > ompt_work_loop_other || kind == 9)
		violation(RULE_work_kind, "kind %d", (int)kind);
	if (endpoint == ompt_scope_begin)
		work_begin(task, kind, count, code);
	else
		work_end(task, kind);
	check_code(code, false);
	ask(me);
}
const ompt_callback_work_t on_work = work;

static bool fits(ompt_dispatch_t kind, const struct scope *scope)
{
	if (!scope || scope->class != SCOPE_WORK)
		return false;
	switch (kind) {
	case ompt_dispatch_iteration:
	case ompt_dispatch_ws_loop_chunk:
		return is_loop(scope->kind);
	case ompt_dispatch_section:
		return scope->kind == ompt_work_sections;
	case ompt_dispatch_distribute_chunk:
		return scope->kind == ompt_work_distribute;
	default:
		return false;
	}
}

static void check_chunk(const ompt_dispatch_chunk_t *chunk, uint64_t count)
{
	if (!chunk)
		violation(RULE_dispatch_chunk, "no chunk");
	else if (!chunk->iterations ||
		 (count && (chunk->start >= count || chunk->iterations > count - chunk->start)))
		violation(RULE_dispatch_chunk, "%llu iterations from %llu, of %llu in all",
		    (unsigned long long)chunk->iterations, (unsigned long long)chunk->start,
		    (unsigned long long)count);
}

static void dispatch(
    ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind, ompt_data_t instance)
{
	struct thread *me = enter(EVENT_dispatch);
	struct task *task = me ? named_task(me, task_data) : NULL;
	struct scope *scope;

	if (!task)
		return;
	named_parallel(task, parallel_data);
	scope = task->scopes_open ? &task->scopes[task->scopes_open - 1] : NULL;
	if (kind == ompt_dispatch_taskloop_chunk) {
		if (!(task->flags & ompt_task_explicit))
			violation(RULE_dispatch_inside,
			    "a taskloop's chunk in task %p, not explicit", (void *)task_data);
		check_chunk(instance.ptr, 0);
	} else if (!fits(kind, scope)) {
		violation(RULE_dispatch_inside, "dispatch %d in class %d, kind %d", (int)kind,
		    scope ? (int)scope->class : -1, scope ? scope->kind : -1);
	} else if (kind == ompt_dispatch_section) {
		check_code(instance.ptr, false);
	} else if (kind != ompt_dispatch_iteration) {
		const ompt_dispatch_chunk_t *chunk = instance.ptr;

		check_chunk(chunk, scope->count);
		scope->iterations += chunk ? chunk->iterations : 0;
	}
	ask(me);
}
const ompt_callback_dispatch_t on_dispatch = dispatch;

static void masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
    ompt_data_t *task_data, const void *code)
{
	struct thread *me = enter(EVENT_masked);
	struct task *task = me ? named_task(me, task_data) : NULL;
	struct scope scope;

	if (!task || !is_pair(endpoint))
		return;
	named_parallel(task, parallel_data);
	if (endpoint == ompt_scope_begin)
		scope_begin(task, SCOPE_MASKED, 0);
	else
		scope_end(task, SCOPE_MASKED, 0, &scope);
	check_code(code, false);
	ask(me);
}
const ompt_callback_masked_t on_masked = masked;
