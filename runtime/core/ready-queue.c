/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared queue of ready tasks: a list, and where in it each priority ends. Programs have few
 * priorities but any number of tasks, so the levels are searched one after the other.
 */
#include "ready-queue.h"

#include <stdlib.h>
#include <string.h>

#include "shared/array.h"
#include "shared/precondition.h"
#include "task.h"

/* The index of the first level that is not above the priority. */
static uint32_t find_level(const struct rt_ready_queue *queue, int32_t priority)
{
	uint32_t i = 0;

	while (i < queue->level_count && queue->levels[i].priority > priority)
		i++;
	return i;
}

static bool is_level(const struct rt_ready_queue *queue, uint32_t i, int32_t priority)
{
	return i < queue->level_count && queue->levels[i].priority == priority;
}

/*
 * Inserts a level before index i. Without memory there is no new level: its tasks are in the right
 * place, but tasks of lower priority that come later may be put before them and run earlier.
 */
static void add_level(struct rt_ready_queue *queue, uint32_t i, struct rt_task *task)
{
	struct rt_ready_level *levels;

	if (!ARRAY_ROOM(queue->levels, queue->level_count, queue->level_capacity, 1))
		return;
	levels = queue->levels;
	memmove(&levels[i + 1], &levels[i], (queue->level_count - i) * sizeof(*levels));
	levels[i] = (struct rt_ready_level){task->priority, task};
	queue->level_count++;
}

/*
 * Updates the levels when the task leaves the list. `before` precedes it there (NULL: it is the
 * first).
 */
static void leave_level(
    struct rt_ready_queue *queue, const struct rt_task *task, struct rt_task *before)
{
	uint32_t i = find_level(queue, task->priority);

	if (!is_level(queue, i, task->priority) || queue->levels[i].last != task)
		return;
	if (before != NULL && before->priority == task->priority) {
		queue->levels[i].last = before;
		return;
	}
	queue->level_count--;
	memmove(&queue->levels[i], &queue->levels[i + 1],
	    (queue->level_count - i) * sizeof(queue->levels[0]));
}

void rt_ready_push(struct rt_ready_queue *queue, struct rt_task *task)
{
	CHECK(task != NULL, "there is a task");

	struct rt_task **link = &queue->first;
	uint32_t i;

	rt_mutex_lock_inside(&queue->mutex);
	i = find_level(queue, task->priority);
	if (is_level(queue, i, task->priority)) {
		link = &queue->levels[i].last->next;
		queue->levels[i].last = task;
	} else {
		if (i > 0)
			link = &queue->levels[i - 1].last->next;
		add_level(queue, i, task);
	}
	task->next = *link;
	*link = task;
	/*
	 * Sequential: the pusher looks for sleepers next, and a sleeper reads the length before it
	 * sleeps.
	 */
	add_sequential(&queue->length, 1);
	rt_mutex_unlock_inside(&queue->mutex);
}

struct rt_task *rt_ready_take(struct rt_ready_queue *queue, const struct rt_task *below)
{
	struct rt_task **link, *task = NULL, *before = NULL;

	if (likely(load_sequential(&queue->length) == 0))
		return NULL;
	rt_mutex_lock_inside(&queue->mutex);
	for (link = &queue->first; *link != NULL; before = *link, link = &before->next) {
		if (!rt_task_may_run(*link, below))
			continue;
		task = *link;
		leave_level(queue, task, before);
		*link = task->next;
		sub_relaxed(&queue->length, 1);
		break;
	}
	rt_mutex_unlock_inside(&queue->mutex);
	return task;
}

void rt_ready_finish(struct rt_ready_queue *queue)
{
	free(queue->levels);
}
