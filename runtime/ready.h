/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team's shared queue of ready tasks, highest priority first and first come first served among
 * equals: for tasks with a priority, for those that a full deque had no room for, and for those
 * made ready by threads outside of the team (omp_fulfill_event). Ordinary tasks do not come here.
 */
#ifndef RT_READY_H
#define RT_READY_H

#include "mutex.h"

struct rt_task;

struct rt_ready_queue {
	struct rt_mutex mutex;
	_Atomic uint32_t length; /* read without the mutex to see whether to look at all */
	struct rt_task *first;   /* sorted list, under the mutex */
};

void rt_ready_push(struct rt_ready_queue *queue, struct rt_task *task);

/* The first task that may be executed above `below` (see rt_task_may_run()), or NULL. */
struct rt_task *rt_ready_take(struct rt_ready_queue *queue, const struct rt_task *below);

#endif
