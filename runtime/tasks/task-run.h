/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the two halves of a task's life share: inline, for it is on the way of every task. Only for
 * task.c and task-generate.c.
 */
#ifndef RT_TASK_RUN_H
#define RT_TASK_RUN_H

#include "atomics.h"
#include "breakpoints.h"
#include "process.h"
#include "task.h"
#include "team.h"

/* The body is done and the event, if any, fulfilled. */
void rt_task_complete(struct rt_thread *self, struct rt_task *task);

/* The body, unless it is cancelled, between the places for breakpoints. */
void rt_task_run_cancellable(struct rt_task *task, rt_task_fn *fn, void *data);

/* By the thread that executes the parent. */
static inline void rt_task_count_child(struct rt_task *parent)
{
	store_relaxed(&parent->created, load_relaxed(&parent->created) + 1);
}

static inline bool rt_task_is_cancelled(const struct rt_task *task)
{
	if (likely(!rt_process.cancellation))
		return false;
	return load_acquire(&task->team->cancelled) != 0 || rt_taskgroup_is_cancelled(task->group);
}

static inline void rt_task_run(struct rt_task *task, rt_task_fn *fn, void *data)
{
	if (likely(rt_process.unusual_for_tasks == 0)) {
		fn(data);
	} else if (rt_process.cancellation) {
		rt_task_run_cancellable(task, fn, data);
	} else {
		ompd_bp_task_begin();
		fn(data);
		ompd_bp_task_end();
	}
}

#endif
