/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's stack of regions: pushes frames, and pops and accounts those that concern no other
 * thread. pomp_frame_close() pops a frame of any role.
 */
#ifndef THREAD_STACK_H
#define THREAD_STACK_H

#include "shared/precondition.h"
#include "thread-block.h"

/* Doubles the region stack; false when memory ran out. */
bool pomp_thread_grow_stack(struct pomp_thread *thread);

/*
 * Pushes a frame on the region stack; returns NULL when memory ran out: the event counts as lost.
 */
static inline struct pomp_frame *pomp_frame_push(struct pomp_thread *thread,
    struct pomp_accumulator *accumulator, enum pomp_role role, uint64_t now)
{
	if (unlikely(thread->top + 1 == thread->stack_limit) && !pomp_thread_grow_stack(thread)) {
		thread->lost_events++;
		return NULL;
	}
	struct pomp_frame *frame = ++thread->top;
	frame->accumulator = accumulator;
	frame->role = role;
	frame->silent = thread->off != 0;
	frame->enter = now;
	frame->children = 0;
	frame->own = 0;
	frame->waited = thread->waited;
	accumulator->depth++;
	if (unlikely(thread->metrics != NULL))
		pomp_metrics_enter(thread, frame);
	return frame;
}

/*
 * Returns how long the thread has waited since the frame was pushed, including in MPI. A call of
 * MPI does not count as a wait within itself.
 */
static inline uint64_t pomp_frame_waits(
    const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	return thread->waited - frame->waited;
}

/*
 * Accounts the wait to enter: from the construct's enter to now. The construct is on top of the
 * stack.
 */
static inline uint64_t pomp_account_entry(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t now)
{
	struct pomp_frame *construct = thread->top;

	if (construct->accumulator != sums || construct->role != POMP_ROLE_CONSTRUCT ||
	    construct->silent || !thread->profiling)
		return 0;
	uint64_t wait = now - construct->enter - construct->children;
	construct->children += wait;
	add_own(&sums->enter_wait, wait);
	if (thread->team != NULL)
		thread->waited += wait;
	return wait;
}

/* Accounts a call of MPI that was left: its own time is no work of the enclosing constructs. */
static inline void pomp_account_mpi(struct pomp_thread *thread, uint64_t self)
{
	if (thread->team == NULL) {
		thread->serial_mpi += self;
		return;
	}
	thread->waited += self;
	thread->mpi += self;
}

/*
 * Pops the top frame (of a construct, a block or a wait) and accounts it. Returns the work in a
 * construct's body; for a work-sharing construct the caller reports it to the team.
 */
static inline __attribute__((always_inline)) uint64_t pomp_frame_close_simple(
    struct pomp_thread *thread, struct pomp_accumulator *sums, enum pomp_role role, uint64_t now)
{
	CHECK(thread->top->role == role, "the frame is on top of the stack");

	struct pomp_frame *frame = thread->top;
	struct pomp_frame *parent = frame - 1;
	uint64_t duration = now - frame->enter;
	uint64_t self = duration - frame->children;

	thread->top = parent;
	sums->depth--;
	if (unlikely(frame->silent) || !thread->profiling)
		return 0;
	parent->children += duration;
	/* A taskgroup's wait is inside its construct, which is counted already. */
	if (role == POMP_ROLE_CONSTRUCT ||
	    (role == POMP_ROLE_WAIT && parent->accumulator != sums)) {
		add_own(&sums->visits, 1);
		add_own(&sums->all, duration);
		if (unlikely(sums->depth > 0))
			add_own(&sums->nested, duration);
		else if (unlikely(thread->counting != NULL))
			pomp_metrics_leave(thread, frame);
		if (role == POMP_ROLE_WAIT)
			add_own(&sums->inside, duration); /* no time of its own: it is all wait */
	}
	bool block_is_body = construct_has_block((enum construct_kind)sums->kind);
	if (role == POMP_ROLE_CONSTRUCT) {
		uint64_t own = frame->own;

		if (unlikely(sums->kind == CONSTRUCT_KIND_MPI))
			pomp_account_mpi(thread, self);
		else if (frame->children != 0 && !block_is_body)
			own += pomp_frame_waits(thread, frame);
		if (frame->children != 0) {
			add_own(&sums->inside, frame->children);
			add_own(&sums->own, own);
		}
		return block_is_body ? own : duration - own;
	}
	if (role == POMP_ROLE_BLOCK) {
		add_own(&sums->inside, -self);
		if (block_is_body)
			parent->own += duration - pomp_frame_waits(thread, frame);
	} else { /* BARRIER, WAIT */
		add_own(&sums->barrier_wait, self);
		if (thread->team != NULL)
			thread->waited += self;
		/*
		 * A taskgroup's wait or an implicit barrier: `own` gets the tasks that ran in it.
		 */
		if (parent->accumulator == sums && !block_is_body)
			parent->own += duration - pomp_frame_waits(thread, frame);
	}
	return 0;
}

/* The same for the creation of a task. */
static inline __attribute__((always_inline)) void pomp_frame_close_create(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t now)
{
	CHECK(thread->top->role == POMP_ROLE_CREATE, "the frame is on top of the stack");

	struct pomp_frame *frame = thread->top;
	uint64_t duration = now - frame->enter;

	thread->top = frame - 1;
	sums->depth--;
	if (frame->silent || !thread->profiling)
		return;
	thread->top->children += duration;
	add_own(&sums->created, 1);
	add_own(&sums->create_time, duration - frame->children);
}

static inline __attribute__((always_inline)) void pomp_frame_close_task(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t now)
{
	CHECK(thread->top->role == POMP_ROLE_TASK, "the frame is on top of the stack");

	struct pomp_frame *frame = thread->top;
	uint64_t duration = now - frame->enter;
	uint64_t own = duration - (thread->suspended - frame->task.suspended);

	thread->top = frame - 1;
	sums->depth--;
	if (frame->silent || !thread->profiling)
		return;
	/* For the task below, this task's whole time is suspension, including nested tasks. */
	thread->suspended = frame->task.suspended + duration;
	thread->top->children += duration;
	add_own(&sums->visits, 1);
	add_own(&sums->all, own);
	add_own(&sums->inside, own - (duration - frame->children));
	if (own > load_relaxed(&sums->longest))
		store_relaxed(&sums->longest, own);
	if (unlikely(thread->counting != NULL))
		pomp_metrics_leave_task(thread, frame);
}

#endif
