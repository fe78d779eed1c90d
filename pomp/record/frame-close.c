/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rare ways to leave the region stack: frames of parallel regions and tasks, which account more
 * than time, and frames whose leaving event never came.
 */
#include "event.h"

#include <stdlib.h>

bool pomp_thread_grow_stack(struct pomp_thread *thread)
{
	size_t depth = (size_t)(thread->top - thread->stack);
	size_t size = (size_t)(thread->stack_limit - thread->stack) * 2;
	struct pomp_frame *stack = NULL;

	/*
	 * The frames are not in an array with a count: an event compares `top` with the pointer to
	 * the end.
	 */
	if (pomp_metrics_grow(thread, size))
		stack = realloc(thread->stack, size * sizeof(struct pomp_frame));
	if (stack == NULL) {
		pomp_out_of_memory("a thread's stack of regions");
		return false;
	}
	thread->stack = stack;
	thread->stack_limit = stack + size;
	thread->top = stack + depth;
	return true;
}

static void close_parallel(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	struct pomp_accumulator *sums = frame->accumulator;
	uint64_t duration = now - frame->enter;

	thread->top = frame - 1;
	sums->depth--;
	thread->team = frame->parallel.outer_team;
	thread->member = frame->parallel.outer_member;
	if (frame->silent) {
		pomp_thread_off(thread, false); /* undoes pomp_team_enter() of a silent team */
		return;
	}
	if (!thread->profiling)
		return;
	thread->top->children += duration;
	add_own(&sums->visits, 1);
	add_own(&sums->all, duration);
	if (sums->depth > (thread->top->role == POMP_ROLE_FORK))
		add_own(&sums->nested, duration);
	else if (thread->metrics != NULL)
		pomp_metrics_leave(thread, frame);
	add_own(&sums->inside, frame->children);
	add_own(&sums->own, frame->own + pomp_frame_waits(thread, frame));
	if (thread->team == NULL)
		thread->useful += duration - pomp_frame_waits(thread, frame) -
				  (thread->managed - frame->parallel.managed);
}

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
		close_parallel(thread, frame, now);
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
