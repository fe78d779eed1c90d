/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h for tasks. A task has a number that is made at its creation from the creating
 * thread's location and a count, so threads need not agree on one.
 *
 * A thread in a taskwait, a barrier or a taskyield may run other tasks there: their frames are
 * above the waiting one. `suspended` is the thread's running total of the time that tasks took from
 * the task below them. The amount by which it grew while a task was on the stack is not that task's
 * own time.
 */
#include "fast-path.h"
#include "plain-name.h"
#include "thread-origins.h"

/*
 * The number of every task that is not measured. Its begin and end are not measured either, or they
 * match.
 */
enum { NOT_MEASURED = 1 };

/*
 * In the number of a task that a filter leaves out. What the filter said when it was created holds
 * for its begin and end, on whichever thread and whatever the filter says then. Regions of such
 * tasks are never plain: only the slow path looks for it.
 */
#define LEFT_OUT (UINT64_C(1) << 63)

/* Outside of a team a trace shows neither creation nor switches nor completion. */
static void count_more(struct pomp_thread *thread, uint64_t events)
{
	if (thread->team != NULL)
		thread->more_events += events;
}

/* Returns the task's number; 0: take the slow path. */
static uint64_t create_begin_fast(struct pomp_fast *event)
{
	struct pomp_thread *thread = event->thread;

	if (!pomp_fast_can_push(event))
		return 0;
	if (unlikely(
		thread->tasks_created != thread->task_logged || event->now >= thread->origin_due)) {
		pomp_event_drop(thread);
		return 0;
	}
	uint64_t task = pomp_thread_next_task(thread);
	thread->task_logged = thread->tasks_created;
	pomp_fast_push(event, POMP_ROLE_CREATE)->task.number = task;
	pomp_fast_record(event, TRACE_LOG_TASK_CREATE_NEXT);
	count_more(thread, 1);
	pomp_event_end(thread);
	return task;
}

static __attribute__((noinline)) uint64_t create_begin_slow(OMPRegDescr *region, const void *caller)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return NOT_MEASURED;
	uint64_t task = pomp_thread_next_task(thread);
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums_entering(thread, region, &id);
	if (sums == NULL)
		return task | LEFT_OUT;
	uint64_t now = pomp_event_time_entering(thread);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_CREATE, now);
	if (likely(frame != NULL)) {
		frame->task.number = task;
		if (likely(!frame->silent))
			pomp_event_log_creation(thread, id, task, now);
		if (now >= thread->origin_due)
			pomp_thread_note_task(thread,
			    (struct pomp_event_place){
				__builtin_frame_address(0), (uintptr_t)caller},
			    id, task, now);
	}
	pomp_event_end_logged(thread);
	return task;
}

uint64_t pomp_task_create_begin(OMPRegDescr *region)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return NOT_MEASURED;
	uint64_t task = pomp_fast_begin(&event, region) ? create_begin_fast(&event) : 0;
	return likely(task != 0) ? task : create_begin_slow(region, __builtin_return_address(0));
}
PLAIN_NAME(pomp_task_create_begin)

static bool create_end_fast(struct pomp_fast *event)
{
	if (!pomp_fast_can_pop(event, POMP_ROLE_CREATE))
		return false;
	pomp_frame_close_create(event->thread, event->sums, event->now);
	pomp_fast_record(event, TRACE_LOG_TASK_CREATED);
	pomp_event_end(event->thread);
	return true;
}

static void create_end_slow(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

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

void pomp_task_create_end(OMPRegDescr *region, uint64_t task)
{
	struct pomp_fast event;

	(void)task;
	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !create_end_fast(&event)))
		create_end_slow(region);
}
PLAIN_NAME(pomp_task_create_end)

/* Returns whether the task begins within its creation, which is then on top of the stack. */
static bool is_undeferred(const struct pomp_thread *thread, uint64_t task)
{
	const struct pomp_frame *below = thread->top;

	return below->role == POMP_ROLE_CREATE && below->task.number == task && !below->silent;
}

/* Returns the task's sums; NULL if it is left out, and the event is dropped. */
static struct pomp_accumulator *sums_of_task(
    struct pomp_thread *thread, OMPRegDescr *region, uint64_t task, uint64_t *id)
{
	if (task == NOT_MEASURED)
		return pomp_event_sums(thread, region, id);
	*id = pomp_event_region(region);
	if (task & LEFT_OUT) {
		pomp_event_drop(thread);
		return NULL;
	}
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, *id);
	if (sums->is_stale && sums->depth == 0)
		pomp_accumulator_filter(sums);
	return sums;
}

static bool begin_fast(struct pomp_fast *event, uint64_t task, const void *stack)
{
	struct pomp_thread *thread = event->thread;
	bool undeferred = is_undeferred(thread, task);

	if (!pomp_fast_can_push(event))
		return false;
	if (unlikely(thread->top->role == POMP_ROLE_TASK)) { /* it may have been cancelled */
		pomp_event_drop(thread);
		return false;
	}
	struct pomp_frame *frame = pomp_fast_push(event, POMP_ROLE_TASK);
	frame->task.number = task;
	frame->task.suspended = thread->suspended;
	frame->task.stack = (uint64_t)(uintptr_t)stack;
	if (undeferred) {
		if (thread->profiling)
			add_own(&event->sums->undeferred, 1);
		pomp_fast_record(event, TRACE_LOG_TASK_BEGIN_HERE);
	} else {
		pomp_fast_record_with(event, TRACE_LOG_TASK_BEGIN, task);
	}
	count_more(thread, 1);
	pomp_event_end(thread);
	return true;
}

static void begin_slow(OMPRegDescr *region, uint64_t task, const void *stack)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	struct pomp_accumulator *sums = sums_of_task(thread, region, task, &id);
	if (sums == NULL)
		return;
	uint64_t now = pomp_event_time_entering(thread);
	pomp_frame_end_cancelled(thread, now);
	bool undeferred = is_undeferred(thread, task);
	if (undeferred && thread->profiling)
		add_own(&sums->undeferred, 1);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_TASK, now);
	if (likely(frame != NULL)) {
		frame->task.number = task;
		frame->task.suspended = thread->suspended;
		frame->task.stack = (uint64_t)(uintptr_t)stack;
		if (unlikely(frame->silent))
			;
		else if (undeferred)
			pomp_event_log(thread, TRACE_LOG_TASK_BEGIN_HERE, 0, id, now, 0, 0);
		else
			pomp_event_log(thread, TRACE_LOG_TASK_BEGIN, 1, id, now, task, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_task_begin(OMPRegDescr *region, uint64_t task)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) ||
		     !begin_fast(&event, task, __builtin_dwarf_cfa())))
		begin_slow(region, task, __builtin_dwarf_cfa());
}
PLAIN_NAME(pomp_task_begin)

static bool end_fast(struct pomp_fast *event, uint64_t task)
{
	struct pomp_thread *thread = event->thread;

	if (!pomp_fast_can_pop(event, POMP_ROLE_TASK))
		return false;
	if (unlikely(thread->top->task.number != task)) {
		pomp_event_drop(thread);
		return false;
	}
	pomp_frame_close_task(thread, event->sums, event->now);
	pomp_fast_record(event, TRACE_LOG_TASK_END_HERE);
	count_more(thread, 2);
	pomp_event_end(thread);
	return true;
}

/*
 * Returns whether the task's frame is on this thread's stack: an untied task may end on another
 * thread. Closes whatever is above it.
 */
static bool unwinds_to_task(struct pomp_thread *thread, uint64_t task, uint64_t now)
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

static void end_slow(OMPRegDescr *region, uint64_t task)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	if (sums_of_task(thread, region, task, &id) == NULL)
		return;
	bool here = thread->top->role == POMP_ROLE_TASK && thread->top->task.number == task;
	if (likely(unwinds_to_task(thread, task, now))) {
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

void pomp_task_end(OMPRegDescr *region, uint64_t task)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !end_fast(&event, task)))
		end_slow(region, task);
}
PLAIN_NAME(pomp_task_end)

void pomp_taskgroup_enter(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}
PLAIN_NAME(pomp_taskgroup_enter)

/* Everything between enter and end is the body, so begin has nothing to do. */
void pomp_taskgroup_begin(OMPRegDescr *region)
{
	(void)region;
}
PLAIN_NAME(pomp_taskgroup_begin)

void pomp_taskgroup_end(OMPRegDescr *region)
{
	pomp_event_enter(region, POMP_ROLE_WAIT, TRACE_LOG_WAIT_ENTER);
}
PLAIN_NAME(pomp_taskgroup_end)

void pomp_taskgroup_exit(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_WAIT, TRACE_LOG_WAIT_LEAVE);
	pomp_event_leave(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}
PLAIN_NAME(pomp_taskgroup_exit)
