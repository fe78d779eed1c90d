/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit tasks: each has its own frames and its own clock, which stops while the task is
 * suspended; another thread may resume an untied task. A task is known from its first switch until
 * its completion; generation 0 stands for what the thread itself executes.
 */
#include <stdlib.h>

#include "memory.h"
#include "pass.h"

/* Communicator, creating thread and number: unique until the task is completed. */
static struct task *base_of(struct thread *thread)
{
	return thread->stay_count ? thread->stays[thread->stay_count - 1].base : &thread->base;
}

static struct task *new_task(struct analysis *analysis, struct map_key key)
{
	struct task *task = memory_new(1, sizeof(*task));

	task->explicit_task = true;
	memory_pair_map_set(&analysis->tasks, key, (uintptr_t)task);
	return task;
}

static struct task *find_task(const struct analysis *analysis, struct map_key key)
{
	uint64_t found = pair_map_find(&analysis->tasks, key);

	return found == MAP_NONE ? NULL : (struct task *)(uintptr_t)found;
}

static void free_task(struct task *task)
{
	free(task->frames);
	free(task->metrics);
	free(task);
}

/* A task that starts while its creation is the creator's top frame is undeferred. */
static void count_undeferred(struct analysis *analysis, uint32_t thread)
{
	const struct frame *top = analysis_top_frame(&analysis->threads[thread]);

	if (analysis_counts_now(analysis, thread) && top && top->part.part == PART_CREATE &&
	    top->part.construct != NO_CONSTRUCT)
		analysis->constructs[top->part.construct].undeferred++;
}

void analysis_switch_task(
    struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct thread *thread = &analysis->threads[event->location];
	struct map_key key = archive_task_key(event);
	struct task *task;

	if (event->generation == 0) {
		analysis_resume(thread, base_of(thread), now);
		return;
	}
	task = find_task(analysis, key);
	if (!task) {
		count_undeferred(analysis, event->location);
		task = new_task(analysis, key);
	}
	/* Two threads cannot execute one task, but a broken trace may claim it. */
	if (task->running && task != thread->current) {
		analysis->unbalanced++;
		return;
	}
	analysis_resume(thread, task, now);
}

void analysis_complete_task(
    struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct thread *thread = &analysis->threads[event->location];
	struct map_key key = archive_task_key(event);
	struct task *task = find_task(analysis, key);

	if (!task)
		return;
	if (task->running && task != thread->current) {
		analysis->unbalanced++;
		return;
	}
	if (task == thread->current) {
		while (task->depth > 0)
			analysis_leave(
			    analysis, event->location, task->frames[task->depth - 1].region, now);
		analysis_resume(thread, base_of(thread), now);
	}
	pair_map_erase(&analysis->tasks, key);
	free_task(task);
}

void analysis_free_tasks(struct analysis *analysis)
{
	const struct pair_map *tasks = &analysis->tasks;

	for (size_t at = pair_map_used(tasks, 0); at != MAP_END; at = pair_map_used(tasks, at + 1))
		free_task((struct task *)(uintptr_t)pair_map_value(tasks, at));
	pair_map_free(&analysis->tasks);
}
