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

#include "accumulator.h"
#include "event-time.h"
#include "fork-join.h"
#include "frame-close.h"
#include "implied-ends.h"
#include "measured-team.h"
#include "measurement.h"
#include "region-filter.h"
#include "thread-log.h"
#include "thread-stack.h"

/* The segment of the thread's ring is full: begins the next one, with what is open now. */
void pomp_event_turn_ring(struct pomp_thread *thread);

/* Does what must precede an event: ends whatever is pending, and delays the thread for its work. */
void pomp_event_prepare(struct pomp_thread *thread);

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
	if (unlikely(thread->log.cursor >= thread->log.limit) && thread->log.ring.base != NULL)
		pomp_event_turn_ring(thread);
	return thread;
}

/* The same for all events except those that handle pending state themselves. */
static inline struct pomp_thread *pomp_event_begin(void)
{
	struct pomp_thread *thread = pomp_event_begin_pending();
	const uint32_t before = POMP_UNUSUAL_PENDING | POMP_UNUSUAL_SCALED | POMP_UNUSUAL_CHANGED;

	if (thread != NULL && unlikely(load_relaxed(&thread->unusual) & before))
		pomp_event_prepare(thread);
	return thread;
}

static inline uint64_t pomp_event_region(OMPRegDescr *region)
{
	uint64_t id = load_word_relaxed(&region->data[0]);

	return likely(id != 0) ? id : pomp_region_id_slow(region);
}

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
 * removes the region altogether; the event is then dropped. Begins a visit: if the filter has
 * changed and no visit is open, it holds from here on.
 */
static inline struct pomp_accumulator *pomp_event_sums_entering(
    struct pomp_thread *thread, OMPRegDescr *region, uint64_t *id)
{
	*id = pomp_event_region(region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, *id);

	if (likely(sums->plain))
		return sums;
	if (sums->is_stale && sums->depth == 0)
		pomp_accumulator_filter(sums);
	if (likely(sums->filtered != POMP_FILTERED_ALL))
		return sums;
	pomp_event_drop(thread);
	return NULL;
}

/* The same for all that belongs to a visit that has begun. */
static inline struct pomp_accumulator *pomp_event_sums(
    struct pomp_thread *thread, OMPRegDescr *region, uint64_t *id)
{
	*id = pomp_event_region(region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, *id);

	if (likely(sums->plain || sums->filtered != POMP_FILTERED_ALL))
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
