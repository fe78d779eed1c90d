/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends what ends without an event of its own or before it, also for threads that are stopped.
 */
#include "implied-ends.h"

#include "accumulator.h"
#include "frame-close.h"
#include "measured-team.h"
#include "region-filter.h"
#include "runtime-routine.h"
#include "shared/precondition.h"
#include "thread-log.h"
#include "thread-stack.h"

#include <string.h>

/* Returns whether a record can be written without waiting for room. */
static bool has_room(const struct pomp_thread *thread, bool may_wait)
{
	return may_wait || thread->log.limit - thread->log.cursor > 2L * TRACE_LOG_RECORD_WORDS;
}

static void close_construct(struct pomp_thread *thread, uint64_t now, bool may_wait)
{
	struct pomp_frame *frame = thread->top;
	const struct pomp_region *region = frame->accumulator->region;
	bool silent = frame->silent;

	pomp_frame_close(thread, frame, now);
	if (silent || !has_room(thread, may_wait))
		return;
	if (frame->accumulator->filtered == POMP_FILTERED_BRIEF)
		pomp_event_leave_brief(thread, frame, TRACE_LOG_LEAVE, region->id, now);
	else
		pomp_event_log(thread, TRACE_LOG_LEAVE, 0, region->id, now, 0, 0);
}

void pomp_event_close_construct(struct pomp_thread *thread, uint64_t now)
{
	close_construct(thread, now, true);
}

/* Closes a construct that has already ended, if only its own block is still above it. */
static void close_late(struct pomp_thread *thread, uint32_t depth, bool may_wait)
{
	const struct pomp_frame *frame = thread->stack + depth;
	struct pomp_accumulator *sums = frame->accumulator;
	uint64_t now = thread->time;

	if (thread->top < frame)
		return;
	if (thread->top > frame + 1 || thread->top->accumulator != sums) {
		thread->late = depth;
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_PENDING);
		return;
	}
	if (thread->top > frame && !frame->silent) {
		pomp_frame_close(thread, thread->top, now);
		if (has_room(thread, may_wait))
			pomp_event_log(
			    thread, TRACE_LOG_BLOCK_LEAVE, 0, sums->region->id, now, 0, 0);
	} else if (thread->top > frame) {
		pomp_frame_close(thread, thread->top, now);
	}
	close_construct(thread, now, may_wait);
}

/* Enters a construct as of the time of its event. */
static void enter_late(struct pomp_thread *thread, OMPRegDescr *region, uint64_t at, bool may_wait)
{
	uint64_t id = load_word_relaxed(&region->data[0]);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, id);

	if (sums->is_stale && sums->depth == 0)
		pomp_accumulator_filter(sums);
	if (sums->filtered == POMP_FILTERED_ALL)
		return;
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_CONSTRUCT, at);
	if (frame == NULL)
		return;
	memset(&frame->mark, 0, sizeof(frame->mark));
	if (!frame->silent && has_room(thread, may_wait))
		pomp_event_log(thread, TRACE_LOG_ENTER, 0, id, at, 0, 0);
}

void pomp_event_settle(struct pomp_thread *thread, bool may_wait)
{
	OMPRegDescr *entered = thread->entering.region;
	bool asked = thread->asked.open;
	uint64_t ended = thread->pending;
	uint32_t late = thread->late;

	pomp_event_forget_pending(thread);
	if (asked && has_room(thread, may_wait))
		pomp_event_log(
		    thread, TRACE_LOG_LOCK_LEAVE, 0, thread->asked.routine, thread->time, 0, 0);
	if (ended != 0 && thread->top->role == POMP_ROLE_CONSTRUCT)
		close_construct(thread, ended, may_wait);
	if (late != 0)
		close_late(thread, late, may_wait);
	if (entered != NULL && may_wait)
		enter_late(thread, entered, thread->entering.at, may_wait);
}

void pomp_event_leave_team(struct pomp_thread *thread, uint64_t now, bool may_wait)
{
	CHECK(thread->top->role == POMP_ROLE_PARALLEL, "the team's frame is on top of the stack");

	struct pomp_frame *frame = thread->top;
	uint64_t id = frame->accumulator->region->id;
	bool silent = frame->silent;

	bool arrived = !silent && load_relaxed(&thread->member->arrived);

	if (arrived)
		store_relaxed(&thread->member->left, now);
	if (silent || arrived)
		pomp_team_close(thread, frame, now);
	else
		pomp_team_leave(thread, frame, now);
	if (!silent && has_room(thread, may_wait))
		pomp_event_log(thread, TRACE_LOG_TEAM_END, 0, id, now, 0, 0);
}

/* Closes what is above the region's frame: its barrier. */
static void close_above_team(struct pomp_thread *thread, uint64_t now, bool may_wait)
{
	while (thread->top->role != POMP_ROLE_PARALLEL) {
		const struct pomp_frame *frame = thread->top;
		if (frame->role == POMP_ROLE_BARRIER && !frame->silent &&
		    has_room(thread, may_wait))
			pomp_event_log(thread, TRACE_LOG_BARRIER_LEAVE, 0,
			    frame->accumulator->region->id, now, 0, 0);
		pomp_frame_unwind_to(thread, frame - 1, now);
	}
}

void pomp_event_close_joined(struct pomp_thread *thread, bool may_wait)
{
	if (load_relaxed(&thread->unusual) & POMP_UNUSUAL_PENDING)
		pomp_event_settle(thread, may_wait);
	while (thread->member != NULL) {
		uint64_t joined = load_relaxed(&thread->member->joined);
		if (joined == 0)
			return;
		if (joined > thread->time)
			thread->time = joined;
		close_above_team(thread, thread->time, may_wait);
		pomp_event_leave_team(thread, thread->time, may_wait);
	}
}

/*
 * Returns whether tasks can end without a call, by cancel taskgroup. Relaxed: each thread finds the
 * same answer.
 */
static bool tasks_can_be_cancelled(void)
{
	enum { UNKNOWN, NO, YES };
	static _Atomic uint32_t answer = UNKNOWN;
	typedef int get_cancellation_routine(void);

	if (load_relaxed(&answer) == UNKNOWN) {
		get_cancellation_routine *routine =
		    (get_cancellation_routine *)pomp_runtime_routine("omp_get_cancellation", NULL);
		store_relaxed(&answer, routine != NULL && routine() != 0 ? YES : NO);
	}
	return load_relaxed(&answer) == YES;
}

/* Ends a task that was cancelled in its own code, with everything that it left open. */
static void end_cancelled(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	uint64_t id = frame->accumulator->region->id, task = frame->task.number;
	bool silent = frame->silent;

	pomp_frame_unwind_to(thread, frame, now);
	pomp_frame_close(thread, frame, now);
	if (!silent)
		pomp_event_log(thread, TRACE_LOG_TASK_END, 1, id, now, task, 0);
}

void pomp_frame_end_cancelled(struct pomp_thread *thread, uint64_t now)
{
	while (thread->top->role == POMP_ROLE_TASK && tasks_can_be_cancelled())
		end_cancelled(thread, thread->top, now);
}

static struct pomp_frame *innermost_task(const struct pomp_thread *thread)
{
	struct pomp_frame *frame = thread->top;

	while (frame->role != POMP_ROLE_TASK)
		frame--;
	return frame;
}

/*
 * A thread that leaves a construct is still in the region or task in which it entered the
 * construct. But tasks above it have ended; if tasks can be cancelled, they did so without a call.
 */
bool pomp_frame_unwind(struct pomp_thread *thread, const struct pomp_accumulator *accumulator,
    enum pomp_role role, uint64_t now)
{
	struct pomp_frame *frame = thread->top;
	unsigned tasks = 0;

	while (frame > thread->stack &&
	       (frame->accumulator != accumulator || frame->role != role) &&
	       frame->role != POMP_ROLE_PARALLEL) {
		tasks += frame->role == POMP_ROLE_TASK;
		frame--;
	}
	if (frame == thread->stack || frame->accumulator != accumulator || frame->role != role ||
	    (tasks > 0 && !tasks_can_be_cancelled())) {
		/* After a change of the filter, a visit may end that was left out when it began. */
		thread->lost_events += !load_relaxed(&accumulator->region->was_left_out);
		return false;
	}
	for (; tasks > 0; tasks--)
		end_cancelled(thread, innermost_task(thread), now);
	pomp_frame_unwind_to(thread, frame, now);
	return true;
}
