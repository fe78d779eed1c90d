/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scopes that are open in a task, innermost last, and the regions that the members of a team
 * meet in the same order.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {"work", "synchronization", "wait", "masked", "reduction",
    "target", "operation on data", "submission"};

struct scope *scope_begin(struct task *task, enum scope_class class, int kind)
{
	struct scope *scope;

	if (task->scopes_open == task->scopes_room) {
		size_t room = task->scopes_room ? 2 * task->scopes_room : 4;

		scope = realloc(task->scopes, room * sizeof *scope);
		if (!scope)
			abort();
		task->scopes = scope;
		task->scopes_room = room;
	}
	scope = &task->scopes[task->scopes_open++];
	*scope = (struct scope){.class = class, .kind = kind};
	return scope;
}

bool scope_end(struct task *task, enum scope_class class, int kind, struct scope *ended)
{
	struct scope *scope;

	if (!task->scopes_open) {
		violation(RULE_scope_nesting, "end of %s %d: nothing is open in task %p",
		    class_names[class], kind, (void *)task->home);
		return false;
	}
	scope = &task->scopes[--task->scopes_open];
	*ended = *scope;
	if (scope->class == class && scope->kind == kind)
		return true;
	violation(RULE_scope_nesting, "end of %s %d in task %p, expected that of %s %d",
	    class_names[class], kind, (void *)task->home, class_names[scope->class], scope->kind);
	if (!scope_is_open(task, class, kind))
		task->scopes_open++; /* an end too many, or a missing begin */
	return false;
}

bool scope_is_open(const struct task *task, enum scope_class class, int kind)
{
	for (size_t i = task->scopes_open; i-- > 0;)
		if (task->scopes[i].class == class && (kind < 0 || task->scopes[i].kind == kind))
			return true;
	return false;
}

bool scope_has_barrier(const struct task *task)
{
	for (size_t i = 0; i < task->scopes_open; i++)
		if (task->scopes[i].class == SCOPE_SYNC &&
		    task->scopes[i].kind != ompt_sync_region_taskwait &&
		    task->scopes[i].kind != ompt_sync_region_taskgroup)
			return true;
	return false;
}

void scopes_close(struct task *task)
{
	/* Cancellation leaves scopes open. */
	if (task->scopes_open && !(task->parallel && load(&task->parallel->cancelled)))
		violation(RULE_scope_left, "task %p ends with %zu open, the innermost is %s %d",
		    (void *)task->home, task->scopes_open,
		    class_names[task->scopes[task->scopes_open - 1].class],
		    task->scopes[task->scopes_open - 1].kind);
	task->scopes_open = 0;
}

/* The list, which the first thread that needs it makes. */
static struct meeting *meetings(struct meeting **list)
{
	struct meeting *all = __atomic_load_n(list, __ATOMIC_ACQUIRE), *none = NULL;

	if (all)
		return all;
	all = calloc(MEETINGS, sizeof *all);
	if (!all)
		return NULL;
	for (uint64_t i = 0; i < MEETINGS; i++)
		all[i].number = i;
	if (__atomic_compare_exchange_n(
		list, &none, all, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return all;
	free(all);
	return none;
}

/*
 * A place in the list is reused for the number MEETINGS later once all members have left it,
 * because no member returns to it then. While an earlier number uses the place, the later one is
 * not tracked.
 */
struct meeting *meeting_find(struct parallel *parallel, struct meeting **list, uint64_t number)
{
	unsigned size = load(&parallel->size);
	struct meeting *all = size > 1 ? meetings(list) : NULL, *meeting;
	uint64_t busy = UINT64_MAX, old;

	if (!all)
		return NULL;
	meeting = &all[number % MEETINGS];
	while ((old = __atomic_load_n(&meeting->number, __ATOMIC_ACQUIRE)) == busy)
		;
	if (old == number)
		return meeting;
	/* Another thread may have begun to use the place between the two loads. */
	if (old + MEETINGS != number || __atomic_load_n(&meeting->ended, __ATOMIC_ACQUIRE) < size)
		return load(&meeting->number) == old ? NULL : meeting_find(parallel, list, number);
	if (!__atomic_compare_exchange_n(
		&meeting->number, &old, busy, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
		return meeting_find(parallel, list, number);
	store(&meeting->kind, 0);
	store(&meeting->count, 0);
	store(&meeting->iterations, 0);
	store(&meeting->begun, 0);
	store(&meeting->left, 0);
	store(&meeting->ended, 0);
	store(&meeting->executors, 0);
	store(&meeting->dispatched, false);
	__atomic_store_n(&meeting->number, number, __ATOMIC_RELEASE);
	return meeting;
}
