/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a thread between two events: its current task with that task's clock and top frame,
 * and what it has kept for each construct. All other files of the pass use this file; it uses none
 * of them.
 */
#include "pass.h"
#include "shared/precondition.h"

void analysis_resume(struct thread *thread, struct task *task, uint64_t now)
{
	CHECK(thread->current->running, "the thread executes a task");

	struct task *old = thread->current;

	if (old == task)
		return;
	old->clock = analysis_task_clock(old, now);
	old->running = false;
	task->resumed_at = now;
	task->running = true;
	thread->current = task;
}

void analysis_end_enter_wait(
    struct analysis *analysis, uint32_t thread, struct frame *frame, uint64_t now)
{
	const struct task *task = analysis->threads[thread].current;

	if (frame->enter_wait != ENTER_WAIT_OPEN)
		return;
	frame->enter_wait = analysis_task_clock(task, now) - frame->entered - frame->nested;
	frame->wait = ACTIVITY_NONE;
}

const struct visited *analysis_visited(const struct thread *thread, uint32_t construct)
{
	uint64_t index = map_find(&thread->visited_of, construct);

	return index == MAP_NONE ? NULL : &thread->visited[index];
}

struct visited *analysis_find_visited(struct thread *thread, uint32_t construct)
{
	return (struct visited *)analysis_visited(thread, construct);
}
