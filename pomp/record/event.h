/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts that make up every call of pomp.h. They take no lock, allocate nothing and make no
 * system call; whatever is rare is in a function that is not inline. The most frequent calls have a
 * fast path through them: pomp_fast_begin().
 *
 * An event is begin .. end; in between the thread is busy. That keeps signal handlers out (their
 * events are counted as lost) and lets pomp_threads_stop() wait for events in progress:
 *
 *   event   makes the thread busy, then reads `unusual`, or pomp_state on the slow path (program
 *           order, for the compiler only)
 *   stop    sets pomp_state to OFF and each thread's POMP_UNUSUAL_STOP, then calls membarrier(2),
 *           then reads busy
 *
 * Thanks to membarrier the stopper sees the event's two steps in order: either the event sees the
 * stop, or the stopper sees the thread busy. The event pays for no fence.
 */
#ifndef EVENT_H
#define EVENT_H

#include "atomics.h"
#include "experiment.h"
#include "lock.h"
#include "measurement.h"
#include "process-state.h"
#include "region-filter.h"
#include "shared/debug-log.h"
#include "measured-team.h"

/*
 * Ends whatever is pending on the thread (see struct pomp_thread), within an event or after the
 * stop. `may_wait`: the call may make room in a full log, which takes the process lock.
 */
void pomp_event_settle(struct pomp_thread *thread, bool may_wait);

/* Does what must precede an event: ends whatever is pending, and delays the thread for its work. */
void pomp_event_prepare(struct pomp_thread *thread);

/* Forgets everything that is pending. */
static inline void pomp_event_forget_pending(struct pomp_thread *thread)
{
	thread->pending = 0;
	thread->late = 0;
	thread->entering.region = NULL;
	thread->asked.open = false;
	fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_PENDING);
}

/*
 * Returns the thread's block, or NULL when nothing is to be measured. Whatever is pending on the
 * thread stays pending.
 */
static inline struct pomp_thread *pomp_event_begin_pending(void)
{
	struct pomp_thread *thread = pomp_self;

	if (unlikely(thread == NULL)) {
		if (load_relaxed(&pomp_state) == POMP_STATE_OFF)
			return NULL;
		thread = pomp_thread_attach();
		if (thread == NULL)
			return NULL;
	}
	if (unlikely(load_relaxed(&thread->busy))) {
		thread->lost_events++;
		return NULL;
	}
	store_relaxed(&thread->busy, true);
	order_for_compiler();
	if (unlikely(load_relaxed(&pomp_state) != POMP_STATE_ON)) {
		store_release(&thread->busy, false);
		return NULL;
	}
	return thread;
}

/* The same for all events except those that handle pending state themselves. */
static inline struct pomp_thread *pomp_event_begin(void)
{
	struct pomp_thread *thread = pomp_event_begin_pending();
	const uint32_t before = POMP_UNUSUAL_PENDING | POMP_UNUSUAL_SCALED;

	if (thread != NULL && unlikely(load_relaxed(&thread->unusual) & before))
		pomp_event_prepare(thread);
	return thread;
}

/* Ends a call that is one event in a trace. */
static inline void pomp_event_end(struct pomp_thread *thread)
{
	thread->calls++;
	store_release(&thread->busy, false);
}

/* Ends a call whose events pomp_event_log() has counted. */
static inline void pomp_event_end_logged(struct pomp_thread *thread)
{
	thread->more_events--;
	pomp_event_end(thread);
}

/* Discards an event that belongs to a filtered region or is part of another event. */
static inline void pomp_event_drop(struct pomp_thread *thread)
{
	store_release(&thread->busy, false);
}

/* Returns the time of the current event: never before the thread's latest. */
static inline uint64_t pomp_event_time(struct pomp_thread *thread)
{
	uint64_t now = pomp_clock_ticks(&pomp_process.clock);

	if (unlikely(now < thread->time))
		now = thread->time;
	thread->time = now;
	return now;
}

/*
 * The same for an event that enters or leaves something. If metrics are read, reading them is not
 * part of what is entered or left.
 */
static inline uint64_t pomp_event_time_entering(struct pomp_thread *thread)
{
	if (unlikely(thread->counting != NULL))
		pomp_metrics_read(thread->counting);
	return pomp_event_time(thread);
}

static inline uint64_t pomp_event_time_leaving(struct pomp_thread *thread)
{
	uint64_t now = pomp_event_time(thread);

	if (unlikely(thread->counting != NULL))
		pomp_metrics_read(thread->counting);
	return now;
}

/*
 * Returns the time at which the calling thread acquired a lock, which it holds, given the time of
 * the event: not before the previous owner's release, see pomp_lock_time_fits().
 */
static inline uint64_t pomp_event_time_acquired(
    struct pomp_thread *thread, const struct pomp_lock *lock, uint64_t now)
{
	if (likely(pomp_lock_time_fits(lock, now)))
		return now;
	thread->time = pomp_lock_earliest(lock);
	return thread->time;
}

static inline uint64_t pomp_event_region(OMPRegDescr *region)
{
	uint64_t id = load_word_relaxed(&region->data[0]);

	return likely(id != 0) ? id : pomp_region_id_slow(region);
}

/* Returns the metrics that belong to a record: they are read if a region is entered or left. */
static inline __attribute__((always_inline)) const struct pomp_thread_metrics *pomp_event_metrics(
    const struct pomp_thread *thread, enum trace_log_kind kind)
{
	switch (kind) {
	case TRACE_LOG_TEAM_BEGIN:
	case TRACE_LOG_TEAM_END:
		return thread->metrics;
	case TRACE_LOG_FORK:
	case TRACE_LOG_JOIN:
	case TRACE_LOG_LOCK_ACQUIRED:
	case TRACE_LOG_LOCK_AGAIN:
	case TRACE_LOG_LOCK_RELEASED:
	case TRACE_LOG_OFF:
	case TRACE_LOG_ON:
	case TRACE_LOG_PARAMETER:
		return NULL;
	default:
		return thread->counting;
	}
}

/*
 * Returns how many events a trace shows for a record of this kind, including values of metrics.
 * Outside of a team no task is switched, created or completed.
 */
static inline __attribute__((always_inline)) uint64_t pomp_event_count(
    const struct pomp_thread *thread, enum trace_log_kind kind)
{
	uint64_t values = pomp_event_metrics(thread, kind) != NULL;

	switch (kind) {
	case TRACE_LOG_TASK_CREATE:
	case TRACE_LOG_TASK_CREATE_NEXT:
	case TRACE_LOG_TASK_BEGIN:
	case TRACE_LOG_TASK_BEGIN_HERE:
	case TRACE_LOG_TASK_END:
	case TRACE_LOG_TASK_END_HERE:
	case TRACE_LOG_TASK_SUSPEND:
		if (thread->team == NULL)
			return 1 + values;
		/* fall through */
	default:
		return trace_log_events(kind) + values;
	}
}

/* Makes room for a record in the thread's log; false: the event was counted as lost. */
bool pomp_event_make_room(struct pomp_thread *thread);

/*
 * Counts and logs a record with up to two payload words; kind and words are constants in each call.
 */
static inline __attribute__((always_inline)) void pomp_event_log(struct pomp_thread *thread,
    enum trace_log_kind kind, unsigned words, uint64_t argument, uint64_t now, uint64_t first,
    uint64_t second)
{
	struct pomp_log *log = &thread->log;

	if (log->cursor >= log->limit) {
		if (log->enabled && !pomp_event_make_room(thread))
			return;
		thread->more_events += pomp_event_count(thread, kind);
		if (!log->enabled)
			return;
	} else {
		thread->more_events += pomp_event_count(thread, kind);
	}
	uint64_t *cursor = log->cursor;
	uint64_t distance = pomp_log_distance(log, now, &cursor);
	const struct pomp_thread_metrics *metrics = pomp_event_metrics(thread, kind);
	if (unlikely(metrics != NULL)) {
		cursor = pomp_metrics_append(metrics, cursor, distance);
		distance = 0;
	}
	DEBUG_LOG(event, "location %llu: kind %d, argument %llu",
	    (unsigned long long)thread->location, (int)kind, (unsigned long long)argument);
	const uint64_t payload[] = {first, second};
	pomp_log_append(log, cursor, pomp_log_word(kind, argument, distance), payload, words, now);
}

/* Logs the creation of a task. Its number usually follows the last one and is then not written. */
static inline void pomp_event_log_creation(
    struct pomp_thread *thread, uint64_t id, uint64_t task, uint64_t now)
{
	if (thread->tasks_created == thread->task_logged + 1)
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE_NEXT, 0, id, now, 0, 0);
	else
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE, 1, id, now, task, 0);
	thread->task_logged = thread->tasks_created;
}

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

/* The same for a frame of any role. */
void pomp_frame_close(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now);

/*
 * Logs an enter or a leave in a region whose filter depends on the duration: see the definitions.
 */
void pomp_event_enter_brief(struct pomp_thread *thread, struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now);
void pomp_event_leave_brief(struct pomp_thread *thread, const struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now);

/* Leaves the construct on top of the stack, within an event. */
void pomp_event_close_construct(struct pomp_thread *thread, uint64_t now);

/*
 * Ends the thread's regions whose teams were joined without it, as of the time of the join.
 * `may_wait`: see pomp_event_settle().
 */
void pomp_event_close_joined(struct pomp_thread *thread, bool may_wait);

/*
 * Forks a team: makes it, pushes the FORK frame for the whole execution, and logs it. NULL when
 * memory ran out.
 */
struct pomp_team *pomp_event_fork(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t id, uint64_t now);

/* Joins a team, whose FORK frame is on top of the stack. */
void pomp_event_join(struct pomp_thread *thread, uint64_t id, uint64_t now);

/*
 * Returns the team's FORK frame on the thread's stack, or the bottom of the stack if there is none.
 */
struct pomp_frame *pomp_frame_of_team(
    const struct pomp_thread *thread, const struct pomp_team *team);

/*
 * Returns the frame below the team. When the thread begins in the team, frames above this one were
 * left open by an earlier region, which the thread has left since.
 */
struct pomp_frame *pomp_frame_below_team(
    const struct pomp_thread *thread, const struct pomp_team *team);

/* Leaves the team whose PARALLEL frame is on top of the stack, within an event. */
void pomp_event_leave_team(struct pomp_thread *thread, uint64_t now, bool may_wait);

/*
 * Finds the frame for a leaving event when it is not on top, and closes whatever was left open
 * above it (cancellation, exceptions, longjmp). Returns false when there is none: the event is
 * counted as lost. A task that is closed this way was cancelled, and its end is logged.
 */
bool pomp_frame_unwind(struct pomp_thread *thread, const struct pomp_accumulator *accumulator,
    enum pomp_role role, uint64_t now);

/*
 * Called before a task begins, within an event. If tasks can be cancelled, tasks on top of the
 * stack that wait for nothing have ended without a call; ends them.
 */
void pomp_frame_end_cancelled(struct pomp_thread *thread, uint64_t now);

/* Closes every frame above `last`. */
void pomp_frame_unwind_to(struct pomp_thread *thread, const struct pomp_frame *last, uint64_t now);

/*
 * Returns the open frame on top of the stack that a leaving event refers to. NULL when there is
 * none or when it is silent (it is then popped).
 */
static inline __attribute__((always_inline)) struct pomp_frame *pomp_frame_find(
    struct pomp_thread *thread, const struct pomp_accumulator *accumulator, enum pomp_role role,
    uint64_t now)
{
	const struct pomp_frame *top = thread->top;

	if (unlikely(top->accumulator != accumulator || top->role != role) &&
	    !pomp_frame_unwind(thread, accumulator, role, now))
		return NULL;
	if (unlikely(thread->top->silent)) {
		pomp_frame_close(thread, thread->top, now);
		return NULL;
	}
	return thread->top;
}

/*
 * Returns the thread's sums for the region, and the region's number in *id. NULL when a filter
 * removes the region altogether; the event is then dropped.
 */
static inline struct pomp_accumulator *pomp_event_sums(
    struct pomp_thread *thread, OMPRegDescr *region, uint64_t *id)
{
	*id = pomp_event_region(region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, *id);

	if (likely(sums->plain || sums->region->filter != POMP_FILTER_ALL))
		return sums;
	pomp_event_drop(thread);
	return NULL;
}

/*
 * A complete entering or leaving event of a construct, block or wait, in any circumstances;
 * pomp_event_enter() and pomp_event_leave() handle the usual ones.
 */
void pomp_event_enter_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind);
void pomp_event_leave_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind);

#endif
