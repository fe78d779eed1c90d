/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers, taskwaits, taskgroups, the waits in them, and reductions.
 */
#include "check.h"

#include <stdlib.h>

/* Is it a barrier that all members of a team meet in the same order? */
static bool is_team_barrier(const struct task *task, ompt_sync_region_t kind)
{
	return (task->flags & ompt_task_implicit) && task->parallel &&
	       (kind == ompt_sync_region_barrier_explicit ||
		   kind == ompt_sync_region_barrier_implicit_workshare ||
		   kind == ompt_sync_region_barrier_implicit_parallel);
}

static void barrier_begin(struct task *task, struct scope *scope)
{
	struct parallel *parallel = task->parallel;
	struct meeting *meeting;
	int none = 0, kind = scope->kind;

	scope->number = task->barriers++;
	meeting = meeting_find(parallel, &parallel->barriers, scope->number);
	scope->meeting = meeting;
	if (!meeting)
		return;
	if (!__atomic_compare_exchange_n(
		&meeting->kind, &none, kind, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    none != kind && !load(&parallel->cancelled))
		violation(RULE_barrier_same, "barrier %llu of member %u has kind %d, of another %d",
		    (unsigned long long)scope->number, task->index, kind, none);
	add(&meeting->begun, 1);
}

static void barrier_end(struct task *task, const struct scope *scope)
{
	struct parallel *parallel = task->parallel;
	struct meeting *meeting = scope->meeting;
	unsigned size = load(&parallel->size);

	if (scope->kind == ompt_sync_region_barrier_implicit_parallel)
		task->last_barrier = true;
	if (!meeting)
		return;
	if (load(&meeting->begun) < size && !load(&parallel->cancelled))
		violation(RULE_barrier_all, "member %u leaves barrier %llu, to which %u of %u came",
		    task->index, (unsigned long long)scope->number, load(&meeting->begun), size);
	add(&meeting->ended, 1);
}

static void taskgroup_begin(struct task *task, struct scope *scope)
{
	struct taskgroup *group = calloc(1, sizeof *group);

	if (!group)
		abort();
	group->references = 1;
	group->outer = task->inner_group;
	scope->group = group;
	task->inner_group = group;
}

static void taskgroup_end(struct task *task, const struct scope *scope)
{
	struct taskgroup *group = scope->group;

	if (!group)
		return;
	if (load(&group->live))
		violation(RULE_taskgroup_tasks, "%d tasks have not finished", load(&group->live));
	task->inner_group = group->outer;
	taskgroup_drop(group);
}

static void sync_begin(struct thread *me, struct task *task, ompt_sync_region_t kind)
{
	struct scope *scope = scope_begin(task, SCOPE_SYNC, kind);

	if (is_team_barrier(task, kind))
		barrier_begin(task, scope);
	else if (kind == ompt_sync_region_taskgroup)
		taskgroup_begin(task, scope);
	else if (kind == ompt_sync_region_taskwait)
		scope->with_dependences = task->waits_for_some;
	ask(me);
}

static void sync_end(struct thread *me, struct task *task, ompt_sync_region_t kind)
{
	struct scope scope;

	if (!scope_end(task, SCOPE_SYNC, kind, &scope))
		return;
	if (is_team_barrier(task, kind))
		barrier_end(task, &scope);
	else if (kind == ompt_sync_region_taskgroup)
		taskgroup_end(task, &scope);
	if (kind == ompt_sync_region_taskwait) {
		if (!scope.with_dependences && !task->waits_for_some && load(&task->live_children))
			violation(RULE_taskwait_children,
			    "%d children of task %p have not finished", load(&task->live_children),
			    (void *)task->home);
		task->waits_for_some = false;
	}
	if (kind != ompt_sync_region_barrier_implicit_parallel)
		ask(me);
}

static bool is_last_barrier(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint)
{
	return kind == ompt_sync_region_barrier_implicit_parallel && endpoint == ompt_scope_end;
}

/*
 * Checks what all three events have in common; returns the task, or NULL if nothing more can be
 * checked.
 */
static struct task *check_sync(struct thread *me, ompt_sync_region_t kind,
    ompt_scope_endpoint_t endpoint, ompt_data_t *task_data)
{
	struct task *task = me ? named_task(me, task_data) : NULL;

	if (!task)
		return NULL;
	if (endpoint != ompt_scope_begin && endpoint != ompt_scope_end) {
		violation(RULE_scope_endpoint, "endpoint %d, expected 1 or 2", (int)endpoint);
		return NULL;
	}
	if (kind < ompt_sync_region_barrier_explicit || kind > ompt_sync_region_barrier_teams)
		violation(RULE_sync_kind, "kind %d, expected 3 to 10", (int)kind);
	return task;
}

static void check_region(struct task *task, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data)
{
	if (!is_last_barrier(kind, endpoint))
		named_parallel(task, parallel_data);
	else if (parallel_data)
		violation(RULE_sync_parallel_data, "region data %p, expected (nil)",
		    (void *)parallel_data);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data, ompt_data_t *task_data, const void *code)
{
	struct thread *me = enter(EVENT_sync_region);
	struct task *task = check_sync(me, kind, endpoint, task_data);
	bool of_program = kind == ompt_sync_region_barrier_explicit ||
			  kind == ompt_sync_region_taskwait || kind == ompt_sync_region_taskgroup;

	if (!task)
		return;
	if (kind == ompt_sync_region_reduction)
		violation(RULE_sync_kind, "kind %d is of reductions only", (int)kind);
	check_region(task, kind, endpoint, parallel_data);
	check_code(code, of_program && endpoint == ompt_scope_begin);
	if (endpoint == ompt_scope_begin)
		sync_begin(me, task, kind);
	else
		sync_end(me, task, kind);
}
const ompt_callback_sync_region_t on_sync_region = sync_region;

/*
 * In the last barrier, the region may be over for the other members while one of them begins to
 * wait.
 */
static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data, ompt_data_t *task_data, const void *code)
{
	struct thread *me = enter(EVENT_sync_region_wait);
	struct task *task = check_sync(me, kind, endpoint, task_data);
	struct scope scope;

	if (!task)
		return;
	if (!is_last_barrier(kind, endpoint))
		named_parallel(task, parallel_data);
	check_code(code, false);
	if (endpoint == ompt_scope_end) {
		scope_end(task, SCOPE_WAIT, kind, &scope);
		return;
	}
	if (!task->scopes_open || task->scopes[task->scopes_open - 1].class != SCOPE_SYNC ||
	    task->scopes[task->scopes_open - 1].kind != (int)kind)
		violation(RULE_sync_wait, "a wait of kind %d in class %d, kind %d", (int)kind,
		    task->scopes_open ? (int)task->scopes[task->scopes_open - 1].class : -1,
		    task->scopes_open ? task->scopes[task->scopes_open - 1].kind : -1);
	scope_begin(task, SCOPE_WAIT, kind);
}
const ompt_callback_sync_region_t on_sync_region_wait = sync_region_wait;

static void reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data, ompt_data_t *task_data, const void *code)
{
	struct thread *me = enter(EVENT_reduction);
	struct task *task = check_sync(me, kind, endpoint, task_data);
	struct scope scope;

	if (!task)
		return;
	if (kind != ompt_sync_region_reduction)
		violation(RULE_reduction_kind, "kind %d, expected %d", (int)kind,
		    ompt_sync_region_reduction);
	named_parallel(task, parallel_data);
	check_code(code, false);
	if (endpoint == ompt_scope_begin)
		scope_begin(task, SCOPE_REDUCTION, 0);
	else
		scope_end(task, SCOPE_REDUCTION, 0, &scope);
}
const ompt_callback_sync_region_t on_reduction = reduction;
