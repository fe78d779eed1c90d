/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks that are identified by the address of their code (shared/code-events.h). Only the moment of
 * a creation is known, not its duration. A task that a runtime suspends for another one stays on
 * the thread's stack below it. An untied task may leave the stack; its parts count as one visit.
 */
#include "code-stack.h"
#include "code-table.h"
#include "event.h"
#include "thread-origins.h"

/* Returns the address of the taskloop that creates tasks; NULL: there is none. */
static const void *address_of_taskloop(void)
{
	const struct pomp_thread *thread = pomp_self;
	const struct pomp_frame *top = thread != NULL ? thread->top : NULL;

	if (top == NULL || top->role != POMP_ROLE_CONSTRUCT ||
	    top->accumulator->region->construct != CONSTRUCT_TASKLOOP ||
	    top->accumulator->region->code == NULL ||
	    top->accumulator->filtered == POMP_FILTERED_BRIEF)
		return NULL;
	return (const void *)(uintptr_t)top->task.suspended;
}

void pomp_code_task_create(struct code_task *task, struct code_address where, bool undeferred)
{
	*task = (struct code_task){.undeferred = undeferred};
	if (pomp_stack_measures(CONSTRUCT_TASK))
		return;
	if (where.address == NULL)
		where.address = address_of_taskloop();
	OMPRegDescr *region = pomp_code_find(CONSTRUCT_TASK, where, NULL);
	struct pomp_thread *thread = region != NULL ? pomp_event_begin() : NULL;
	if (thread == NULL)
		return;
	task->number = pomp_thread_next_task(thread);
	task->region = region;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums_entering(thread, region, &id);
	if (sums == NULL) {
		task->number = 0; /* it is left out, also if the filter changes before it begins */
		return;
	}
	const void *caller = where.at == CODE_RETURN ? where.address : where.caller;
	if (thread->off == 0) {
		uint64_t now = pomp_event_time(thread);
		if (now >= thread->origin_due && caller != NULL)
			pomp_thread_note_task(thread,
			    (struct pomp_event_place){
				__builtin_frame_address(0), (uintptr_t)caller},
			    id, task->number, now);
		if (thread->profiling)
			add_own(&sums->created, 1);
		pomp_event_log_creation(thread, id, task->number, now);
		pomp_event_log(thread, TRACE_LOG_TASK_CREATED, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_code_task_begin(struct code_task *task)
{
	struct pomp_thread *thread = task->number != 0 ? pomp_event_begin() : NULL;
	uint64_t id;

	if (thread == NULL)
		return;
	/* Its creation was measured: so is the task, whatever the filter says now. */
	id = pomp_event_region(task->region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, id);
	uint64_t now = pomp_event_time_entering(thread);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_TASK, now);
	if (frame != NULL) {
		frame->task.number = task->number;
		frame->task.suspended = thread->suspended;
		frame->task.stack = 0; /* the runtime knows the task's frame */
		if (!frame->silent) {
			if (task->undeferred && !task->begun && thread->profiling)
				add_own(&sums->undeferred, 1);
			pomp_event_log(thread, TRACE_LOG_TASK_BEGIN, 1, id, now, task->number, 0);
		}
		task->thread = thread;
	}
	task->begun = true;
	pomp_event_end_logged(thread);
}

/* Pops the task's frame and everything above it. False: it was silent. */
static bool close_task(struct pomp_thread *thread, const struct code_task *task, uint64_t now)
{
	struct pomp_frame *frame = thread->top;

	while (frame > thread->stack &&
	       (frame->role != POMP_ROLE_TASK || frame->task.number != task->number))
		frame--;
	if (frame == thread->stack)
		return false;
	pomp_frame_unwind_to(thread, frame, now);
	bool silent = frame->silent;
	pomp_frame_close(thread, frame, now);
	pomp_team_work_on(thread, now);
	return !silent;
}

static void leave_task(struct code_task *task, bool ends)
{
	struct pomp_thread *thread = task->thread != NULL ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	OMPRegDescr *region = task->region;
	uint64_t id = pomp_event_region(region);
	uint64_t now = pomp_event_time_leaving(thread);
	task->thread = NULL;
	if (close_task(thread, task, now)) {
		if (ends) {
			pomp_event_log(thread, TRACE_LOG_TASK_END_HERE, 0, id, now, 0, 0);
		} else {
			if (thread->profiling)
				add_own(&pomp_thread_accumulator(thread, id)->visits, -1);
			pomp_event_log(thread, TRACE_LOG_TASK_SUSPEND, 0, id, now, 0, 0);
		}
	}
	pomp_event_end_logged(thread);
}

void pomp_code_task_suspend(struct code_task *task)
{
	leave_task(task, false);
}

void pomp_code_task_end(struct code_task *task)
{
	leave_task(task, true);
}

void pomp_code_find_task_frames_by(pomp_code_task_frame *find)
{
	pomp_thread_find_task_frames_by(find);
}

void pomp_code_task_without_memory(void)
{
	pomp_out_of_memory("a task");
}

const void *pomp_code_thread(void)
{
	return pomp_self;
}
