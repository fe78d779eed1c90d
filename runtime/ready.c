/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared queue of ready tasks; see ready.h. Short lists are all that is expected here. */
#include "ready.h"

#include "task.h"

void rt_ready_push(struct rt_ready_queue *queue, struct rt_task *task)
{
	struct rt_task **link;

	rt_mutex_lock(&queue->mutex);
	for (link = &queue->first; *link != NULL; link = &(*link)->next)
		if ((*link)->priority < task->priority)
			break;
	task->next = *link;
	*link = task;
	/* Sequential: the pusher looks for sleepers next, who look at the length before sleeping.
	 */
	add_sequential(&queue->length, 1);
	rt_mutex_unlock(&queue->mutex);
}

struct rt_task *rt_ready_take(struct rt_ready_queue *queue, const struct rt_task *below)
{
	struct rt_task **link, *task = NULL;

	if (likely(load_sequential(&queue->length) == 0))
		return NULL;
	rt_mutex_lock(&queue->mutex);
	for (link = &queue->first; *link != NULL; link = &(*link)->next) {
		if (!rt_task_may_run(*link, below))
			continue;
		task = *link;
		*link = task->next;
		sub_relaxed(&queue->length, 1);
		break;
	}
	rt_mutex_unlock(&queue->mutex);
	return task;
}
