/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rare ways to leave the region stack: a frame of any role, and frames whose leaving event
 * never came.
 */
#include "frame-close.h"

#include "lock.h"
#include "measured-team.h"
#include "shared/precondition.h"
#include "thread-stack.h"

static void close_fork(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	thread->top = frame - 1;
	frame->accumulator->depth--;
	thread->fork_depth--;
	if (!frame->silent && thread->profiling) {
		thread->top->children += now - frame->enter;
		if (thread->fork_depth == 0 && thread->team == NULL)
			thread->in_parallel += now - frame->enter;
	}
	pomp_team_free(frame->parallel.team);
}

static void close_construct(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	struct pomp_accumulator *sums = frame->accumulator;
	uint64_t body = pomp_frame_close_simple(thread, sums, POMP_ROLE_CONSTRUCT, now);

	if (!frame->silent && thread->profiling && thread->member != NULL &&
	    construct_is_shared_work((enum construct_kind)sums->kind))
		pomp_team_executed(thread, sums->region->id, body);
}

/*
 * What each role counts while profiling, with duration = leave - enter, self = duration - children:
 *   CONSTRUCT  visit, time = duration, self; body = duration - own barrier, or its blocks. Both
 *              without the waits inside, including calls of MPI
 *   BLOCK      self; its duration is the construct's body
 *   BARRIER    barrier_wait = self
 *   WAIT       visit, time = duration, barrier_wait = self
 *   FORK       nothing: its time on the master belongs to its team and to management
 *   PARALLEL   visit, time, self, body like CONSTRUCT; useful time of the thread and the member
 *   CREATE     created, create_time = self
 *   TASK       visit, time = body = duration - suspended, self
 */
void pomp_frame_close(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	CHECK(frame == thread->top, "the frame is on top of the stack");
	switch ((enum pomp_role)frame->role) {
	case POMP_ROLE_BASE:
		break;
	case POMP_ROLE_CONSTRUCT:
		close_construct(thread, frame, now);
		break;
	case POMP_ROLE_BLOCK:
		pomp_frame_close_simple(thread, frame->accumulator, POMP_ROLE_BLOCK, now);
		break;
	case POMP_ROLE_BARRIER:
		pomp_frame_close_simple(thread, frame->accumulator, POMP_ROLE_BARRIER, now);
		break;
	case POMP_ROLE_WAIT:
		pomp_frame_close_simple(thread, frame->accumulator, POMP_ROLE_WAIT, now);
		break;
	case POMP_ROLE_FORK:
		close_fork(thread, frame, now);
		break;
	case POMP_ROLE_PARALLEL:
		pomp_team_close(thread, frame, now);
		break;
	case POMP_ROLE_CREATE:
		pomp_frame_close_create(thread, frame->accumulator, now);
		break;
	case POMP_ROLE_TASK:
		pomp_frame_close_task(thread, frame->accumulator, now);
		break;
	}
}

/* Returns how many events a trace shows for a frame that ends without an event of its own. */
static uint64_t events_of_end(const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	if (frame->silent || frame->role == POMP_ROLE_BASE)
		return 0;
	if (frame->role == POMP_ROLE_FORK)
		return 1;
	uint64_t leave = thread->counting != NULL ? 2 : 1;
	bool another = frame->role == POMP_ROLE_PARALLEL || /* the end of its team */
		       (frame->role == POMP_ROLE_TASK && thread->team != NULL) || /* a switch */
		       (frame->role == POMP_ROLE_BLOCK &&
			   frame->accumulator->region->lock != NULL); /* the release of its lock */
	return leave + another;
}

/*
 * Closes a construct that was left by a jump. Its block may hold a critical's lock, which is marked
 * released. The construct is not compared across the team, which may no longer exist.
 */
static void close_abandoned(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	struct pomp_member *member = thread->member;

	thread->more_events += events_of_end(thread, frame);
	if (frame->role == POMP_ROLE_BLOCK && !frame->silent &&
	    frame->accumulator->region->lock != NULL)
		pomp_lock_released(frame->accumulator->region->lock, now);
	if (frame->role != POMP_ROLE_CONSTRUCT) {
		pomp_frame_close(thread, frame, now);
		return;
	}
	thread->member = NULL;
	pomp_frame_close(thread, frame, now);
	thread->member = member;
}

void pomp_frame_unwind_to(struct pomp_thread *thread, const struct pomp_frame *last, uint64_t now)
{
	while (thread->top > last)
		close_abandoned(thread, thread->top, now);
}
