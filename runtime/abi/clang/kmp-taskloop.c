/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop. The program makes one task; each of the construct's tasks is a copy of it with other
 * bounds. A function of the compiler completes what cannot be copied byte for byte, and the mark of
 * the last iteration. The program's code itself calls the taskgroup around the construct.
 */
#include <string.h>

#include "kmp-task.h"
#include "task-entry.h"
#include "taskloop.h"

typedef void kmp_dup_fn(struct kmp_task *to, struct kmp_task *from, int32_t is_final);

enum { SCHEDULE_NONE, SCHEDULE_GRAINSIZE, SCHEDULE_NUM_TASKS };

/* What the program passes besides the task. */
struct clauses {
	int32_t condition, nogroup, schedule, strict;
	uint64_t amount;
	uint64_t *lower, *upper; /* bounds in the task; the upper one is inclusive */
	int64_t step;
	kmp_dup_fn *dup; /* or NULL */
};

/* What `fill` needs: the offsets of the bounds, in bytes after struct kmp_task_head. */
enum context { LOWER_AT, UPPER_AT, DUP };

static void fill(const struct rt_taskloop *taskloop, void *data, struct rt_task *task,
    uint64_t first, uint64_t last, bool is_final)
{
	kmp_dup_fn *dup = (kmp_dup_fn *)taskloop->context[DUP];
	struct kmp_task_head *pattern = taskloop->request.data, *head = data;
	struct kmp_task *made = kmp_task_of(head);

	memcpy(head, pattern, sizeof(*head) + pattern->bytes);
	head->task = task;
	if (task != NULL && (head->flags & KMP_TASK_DESTRUCTORS))
		rt_task_must_run(task);
	if (head->shared_at != 0)
		made->shareds = (char *)made + head->shared_at;
	memcpy((char *)made + taskloop->context[LOWER_AT], &first, sizeof(first));
	memcpy((char *)made + taskloop->context[UPPER_AT], &last, sizeof(last));
	if (dup != NULL)
		dup(made, kmp_task_of(pattern), is_final);
}

static void drop(void *data)
{
	kmp_task_destroy(data);
}

/* Frees the original task and what the program constructed in it. */
static void finish(void *data)
{
	struct kmp_task_head *head = data;

	drop(head);
	rt_task_give_back(rt_current, head->task);
}

static uint64_t iterations(const struct clauses *clauses)
{
	int64_t lower = (int64_t)*clauses->lower, upper = (int64_t)*clauses->upper;

	if (clauses->step > 0)
		return upper < lower
			   ? 0
			   : ((uint64_t)upper - (uint64_t)lower) / (uint64_t)clauses->step + 1;
	return upper > lower ? 0
			     : ((uint64_t)lower - (uint64_t)upper) / -(uint64_t)clauses->step + 1;
}

/*
 * Without nogroup the program itself opens the taskloop's group, just before the construct. (It may
 * also do so with nogroup: then the tasks may be executed a little sooner.)
 */
static bool has_open_group(const struct rt_thread *self)
{
	const struct rt_taskgroup *group = self->task->group;

	return group != NULL && group->owner == self->task && load_relaxed(&group->pending) == 0;
}

static struct rt_taskloop common(const struct rt_thread *self, struct kmp_task_head *head,
    const struct clauses *clauses, const void *site)
{
	uint64_t count = iterations(clauses);
	struct rt_taskloop taskloop = {
	    .request = kmp_task_request(head),
	    .start = *clauses->lower,
	    .end = *clauses->lower + count * (uint64_t)clauses->step,
	    .step = (uint64_t)clauses->step,
	    .count = count,
	    .amount = clauses->schedule == SCHEDULE_NONE ? 0 : clauses->amount,
	    .is_grainsize = clauses->schedule == SCHEDULE_GRAINSIZE,
	    .is_strict = clauses->strict != 0,
	    .has_group = !clauses->nogroup,
	    .fill = fill,
	    .drop = drop,
	    .finish = finish,
	    .is_awaited = clauses->nogroup && has_open_group(self),
	    .is_apart = (head->flags & KMP_TASK_DESTRUCTORS) != 0,
	};

	taskloop.request.site = site;
	taskloop.request.data = head;
	taskloop.request.size = sizeof(*head) + head->bytes;
	taskloop.request.deferrable = clauses->condition != 0;
	return taskloop;
}

static void taskloop(
    struct rt_thread *self, struct kmp_task *task, const struct clauses *clauses, const void *site)
{
	struct kmp_task_head *head = kmp_head_of(task);
	struct rt_taskloop loop = common(self, head, clauses, site);

	loop.context[LOWER_AT] = (uintptr_t)clauses->lower - (uintptr_t)task;
	loop.context[UPPER_AT] = (uintptr_t)clauses->upper - (uintptr_t)task;
	loop.context[DUP] = (uintptr_t)clauses->dup;
	if (rt_watched(RT_BY_TOOL)) {
		/* The group belongs to the same construct: its call was the construct's first. */
		if (loop.is_awaited && self->task->group->codeptr != NULL)
			loop.request.site = self->tool.codeptr = self->task->group->codeptr;
		rt_taskloop_with_tool(self, &loop);
	} else {
		rt_taskloop(self, &loop);
	}
}

KMP_ENTRY(void, __kmpc_taskloop, struct kmp_task *task, int32_t condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule, uint64_t amount,
    kmp_dup_fn *dup)
{
	struct clauses clauses = {condition, nogroup, schedule, 0, amount, lower, upper, step, dup};
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	rt_note_call(&self);
	taskloop(self, task, &clauses, GENERATED_HERE);
}

/* With the modifier of the grainsize or num_tasks clause. */
KMP_ENTRY(void, __kmpc_taskloop_5, struct kmp_task *task, int32_t condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule, uint64_t amount,
    int32_t strict, kmp_dup_fn *dup)
{
	struct clauses clauses = {
	    condition, nogroup, schedule, strict, amount, lower, upper, step, dup};
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	rt_note_call(&self);
	taskloop(self, task, &clauses, GENERATED_HERE);
}
