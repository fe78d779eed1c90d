/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team's shared queue of ready tasks, highest priority first and first come first served among
 * equals. It takes tasks with a priority, tasks for which a full deque had no room, and tasks made
 * ready by threads outside of the team (omp_fulfill_event). Ordinary tasks do not come here.
 */
#ifndef RT_READY_QUEUE_H
#define RT_READY_QUEUE_H
#include "mutex.h"

struct rt_task;

/* The tasks of one priority, which are neighbours in the list. */
struct rt_ready_level {
	int32_t priority;
	struct rt_task *last;
};

struct rt_ready_queue {
	struct rt_mutex mutex;
	_Atomic uint32_t length;       /* read without the mutex to see whether to look at all */
	struct rt_task *first;         /* sorted list; this and what follows under the mutex */
	struct rt_ready_level *levels; /* of the priorities in the list, highest first */
	uint32_t level_count;
	size_t level_capacity;
};

/* Takes time in proportion to the number of different priorities, not of tasks. */
void rt_ready_push(struct rt_ready_queue *queue, struct rt_task *task);

/* The first task that may be executed above `below` (see rt_task_may_run()), or NULL. */
struct rt_task *rt_ready_take(struct rt_ready_queue *queue, const struct rt_task *below);

/* Frees what an empty queue keeps. */
void rt_ready_finish(struct rt_ready_queue *queue);

#endif
