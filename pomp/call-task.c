/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h for tasks. A task is known by a number made at its creation from the creating
 * thread's location and a count, so that threads need not agree on one.
 *
 * A thread in a taskwait, a barrier or a taskyield may run other tasks there: their frames stand on
 * top of the waiting one. `suspended` is the thread's running total of time that tasks took from
 * the task below them; what it grew by while a task was on the stack is not that task's own time.
 */
#include "short.h"

/* Mostly the number is the one after the last, and goes without saying. */
static void log_creation(struct pomp_thread *thread, uint64_t id, uint64_t task, uint64_t now)
{
	if (thread->tasks_created == thread->task_logged + 1)
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE_NEXT, 0, id, now, 0, 0);
	else
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE, 1, id, now, task, 0);
	thread->task_logged = thread->tasks_created;
}

uint64_t pomp_task_create_begin(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return 1; /* never 0, as pomp.h says; its begin and end are not measured either, or
			     pair up */
	uint64_t task = (thread->location + 1) << TRACE_LOG_TASK_SHIFT | ++thread->tasks_created;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return task;
	uint64_t now = pomp_event_time_entering(thread);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_CREATE, now);
	if (likely(frame != NULL)) {
		frame->task.number = task;
		if (likely(!frame->silent))
			log_creation(thread, id, task, now);
	}
	pomp_event_end_logged(thread);
	return task;
}

void pomp_task_create_end(OMPRegDescr *region, uint64_t task)
{
	struct pomp_thread *thread = pomp_event_begin();

	(void)task;
	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	struct pomp_frame *frame = pomp_frame_find(thread, sums, POMP_ROLE_CREATE, now);
	if (likely(frame != NULL)) {
		pomp_frame_close(thread, frame, now);
		pomp_event_log(thread, TRACE_LOG_TASK_CREATED, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_task_begin(OMPRegDescr *region, uint64_t task)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	uint64_t now = pomp_event_time_entering(thread);
	const struct pomp_frame *below = thread->top;
	bool undeferred =
	    below->role == POMP_ROLE_CREATE && below->task.number == task && !below->silent;
	if (undeferred && thread->profiling)
		add_own(&sums->undeferred, 1);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_TASK, now);
	if (likely(frame != NULL)) {
		frame->task.number = task;
		frame->task.suspended = thread->suspended;
		if (unlikely(frame->silent))
			;
		else if (undeferred)
			pomp_event_log(thread, TRACE_LOG_TASK_BEGIN_HERE, 0, id, now, 0, 0);
		else
			pomp_event_log(thread, TRACE_LOG_TASK_BEGIN, 1, id, now, task, 0);
	}
	pomp_event_end_logged(thread);
}

/* Whether the task's frame is on this thread's stack: an untied task may end on another thread. */
static bool brings_to_top(struct pomp_thread *thread, uint64_t task, uint64_t now)
{
	struct pomp_frame *frame = thread->top;

	while (
	    frame > thread->stack && (frame->role != POMP_ROLE_TASK || frame->task.number != task))
		frame--;
	if (frame == thread->stack)
		return false;
	pomp_frame_unwind_to(thread, frame, now);
	return true;
}

void pomp_task_end(OMPRegDescr *region, uint64_t task)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	if (pomp_event_sums(thread, region, &id) == NULL)
		return;
	bool here = thread->top->role == POMP_ROLE_TASK && thread->top->task.number == task;
	if (likely(brings_to_top(thread, task, now))) {
		bool silent = thread->top->silent;
		pomp_frame_close(thread, thread->top, now);
		if (silent) {
			pomp_event_end_logged(thread);
			return;
		}
	}
	if (likely(here))
		pomp_event_log(thread, TRACE_LOG_TASK_END_HERE, 0, id, now, 0, 0);
	else
		pomp_event_log(thread, TRACE_LOG_TASK_END, 1, id, now, task, 0);
	pomp_event_end_logged(thread);
}

void pomp_taskloop_enter(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}

void pomp_taskloop_exit(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}

void pomp_taskwait_enter(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_WAIT, TRACE_LOG_ENTER);
}

void pomp_taskwait_exit(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_WAIT, TRACE_LOG_LEAVE);
}

void pomp_taskyield_enter(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_WAIT, TRACE_LOG_ENTER);
}

void pomp_taskyield_exit(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_WAIT, TRACE_LOG_LEAVE);
}

void pomp_taskgroup_enter(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}

/* What is between enter and end is the body: begin adds nothing to that. */
void pomp_taskgroup_begin(OMPRegDescr *region)
{
	(void)region;
}

void pomp_taskgroup_end(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_WAIT, TRACE_LOG_WAIT_ENTER);
}

void pomp_taskgroup_exit(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_WAIT, TRACE_LOG_WAIT_LEAVE);
	pomp_event_leave(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}
