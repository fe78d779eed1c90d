/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of an event: the usual case, in a function that calls no other and therefore saves
 * no registers. Each step first checks for anything unusual (a new thread or region, a filter,
 * metrics, a clock other than the processor's counter, a full window, a frame that is not on top).
 * If it finds something, nothing has been changed yet, and the event takes the slow path of
 * pomp_event_enter_slow() and its like, which handle all of that.
 *
 * Reading the clock takes longer than all the rest; otherwise only the number of instructions
 * matters. Hence one word of flags for everything unusual, and values that are kept instead of read
 * again.
 */
#ifndef FAST_PATH_H
#define FAST_PATH_H

#include "event.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* An event on the fast path. */
struct pomp_fast {
	struct pomp_thread *thread;
	struct pomp_accumulator *sums; /* of the event's region */
	uint64_t id;                   /* of the region */
	uint64_t now;
	uint64_t distance; /* ticks since the log's latest record */
	uint64_t *cursor;  /* the end of the log; NULL: there is no log */
};

/*
 * Returns whether measurement is off for good. It is checked first, so that a call then costs next
 * to nothing.
 */
ALWAYS_INLINE bool pomp_fast_off(void)
{
	return unlikely(load_relaxed(&pomp_state) == POMP_STATE_OFF);
}

/* Begins an event; false: take the slow path. */
ALWAYS_INLINE bool pomp_fast_begin(struct pomp_fast *event, const OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_self;

	if (unlikely(thread == NULL || load_relaxed(&thread->busy)))
		return false;
	store_relaxed(&thread->busy, true);
	order_for_compiler();
	uint64_t id = load_word_relaxed(&region->data[0]);
	if (likely(load_relaxed(&thread->unusual) == 0 && id < POMP_FIRST_REGIONS)) {
		struct pomp_accumulator *sums = &thread->first[id];
		if (likely(sums->plain)) {
			event->thread = thread;
			event->sums = sums;
			event->id = id;
			return true;
		}
	}
	store_release(&thread->busy, false);
	return false;
}

/* Reads the clock; false if the slow path is needed: for its record, or for a long interval. */
ALWAYS_INLINE bool pomp_fast_read_clock(struct pomp_fast *event)
{
	const struct pomp_thread *thread = event->thread;

	event->now = counter_read();
	if (unlikely(event->now - thread->time > thread->long_interval))
		return false;
	event->cursor = thread->log.cursor;
	event->distance = event->now - thread->log.time;
	if (likely(event->cursor < thread->log.limit))
		return likely(event->distance <= TRACE_LOG_TIME_MAX);
	event->cursor = NULL;
	return likely(!thread->log.enabled);
}

/* Stores the time of an event and, if there is a log, its record. */
ALWAYS_INLINE void pomp_fast_record(const struct pomp_fast *event, enum trace_log_kind kind)
{
	struct pomp_log *log = &event->thread->log;

	DEBUG_LOG(event, "location %llu: kind %d, argument %llu",
	    (unsigned long long)event->thread->location, (int)kind, (unsigned long long)event->id);
	event->thread->time = event->now;
	if (event->cursor == NULL)
		return;
	pomp_log_publish(event->cursor, pomp_log_word(kind, event->id, event->distance));
	log->cursor = event->cursor + 1;
	log->time = event->now;
}

/* The same with a payload word. */
ALWAYS_INLINE void pomp_fast_record_with(
    const struct pomp_fast *event, enum trace_log_kind kind, uint64_t payload)
{
	struct pomp_log *log = &event->thread->log;

	DEBUG_LOG(event, "location %llu: kind %d, argument %llu",
	    (unsigned long long)event->thread->location, (int)kind, (unsigned long long)event->id);
	event->thread->time = event->now;
	if (event->cursor == NULL)
		return;
	pomp_log_store_payload(event->cursor + 1, payload);
	pomp_log_publish(event->cursor, pomp_log_word(kind, event->id, event->distance));
	log->cursor = event->cursor + 2;
	log->time = event->now;
}

/*
 * The same for a leave. If the previous record is that of the enter, nothing happened in between,
 * and one store turns both into a single record: a log that breaks off here contains either the
 * enter or the complete visit.
 */
ALWAYS_INLINE void pomp_fast_record_leave(const struct pomp_fast *event, enum trace_log_kind kind)
{
	struct pomp_log *log = &event->thread->log;
	uint64_t *cursor = event->cursor;

	DEBUG_LOG(event, "location %llu: kind %d, argument %llu",
	    (unsigned long long)event->thread->location, (int)kind, (unsigned long long)event->id);
	event->thread->time = event->now;
	if (cursor == NULL)
		return;
	log->time = event->now;
	/* Shifted left, this is 0 if the previous record is the enter of the same visit. */
	uint64_t enter = cursor[-1] ^ pomp_log_word(kind - 1, event->id, 0);
	uint64_t distance = enter >> TRACE_LOG_TIME_SHIFT;
	if (enter << (64 - TRACE_LOG_TIME_SHIFT) == 0 &&
	    distance < UINT64_C(1) << TRACE_LOG_VISIT_TIME_BITS &&
	    event->distance < UINT64_C(1) << TRACE_LOG_VISIT_DURATION_BITS) {
		pomp_log_publish(
		    cursor - 1, trace_log_visit(kind, event->id, event->distance, distance));
		return;
	}
	pomp_log_publish(cursor, pomp_log_word(kind, event->id, event->distance));
	log->cursor = cursor + 1;
}

_Static_assert(POMP_FIRST_REGIONS <= 1 << TRACE_LOG_VISIT_ARGUMENT_BITS,
    "the region of each event on the fast path fits into a visit's record");

/* Returns whether a frame can be pushed now; if not, drops the event for the slow path. */
ALWAYS_INLINE bool pomp_fast_can_push(struct pomp_fast *event)
{
	if (likely(pomp_fast_read_clock(event) &&
		   event->thread->top + 1 != event->thread->stack_limit))
		return true;
	pomp_event_drop(event->thread);
	return false;
}

ALWAYS_INLINE struct pomp_frame *pomp_fast_push(const struct pomp_fast *event, enum pomp_role role)
{
	struct pomp_frame *frame = ++event->thread->top;

	frame->accumulator = event->sums;
	frame->role = role;
	frame->silent = 0;
	frame->enter = event->now;
	memset(&frame->children, 0, sizeof(frame->children) + sizeof(frame->own));
	frame->waited = event->thread->waited;
	event->sums->depth++;
	return frame;
}

/*
 * Returns whether the frame on top is the one that is being left; if not, drops the event for the
 * slow path.
 */
ALWAYS_INLINE bool pomp_fast_can_pop(struct pomp_fast *event, enum pomp_role role)
{
	const struct pomp_frame *frame = event->thread->top;
	struct {
		uint32_t role, silent;
	} expected = {role, false};

	if (likely(frame->accumulator == event->sums &&
		   memcmp(&frame->role, &expected, sizeof(expected)) == 0 &&
		   pomp_fast_read_clock(event)))
		return true;
	pomp_event_drop(event->thread);
	return false;
}

/* Enters; false: take the slow path. */
ALWAYS_INLINE bool pomp_fast_enter(
    struct pomp_fast *event, enum pomp_role role, enum trace_log_kind kind)
{
	if (!pomp_fast_can_push(event))
		return false;
	pomp_fast_push(event, role);
	pomp_fast_record(event, kind);
	pomp_event_end(event->thread);
	return true;
}

/* Leaves; false: take the slow path. */
ALWAYS_INLINE bool pomp_fast_leave(
    struct pomp_fast *event, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread = event->thread;

	if (!pomp_fast_can_pop(event, role))
		return false;
	uint64_t body = pomp_frame_close_simple(thread, event->sums, role, event->now);
	pomp_fast_record_leave(event, kind);
	if (role == POMP_ROLE_CONSTRUCT &&
	    construct_is_shared_work((enum construct_kind)event->sums->kind) &&
	    thread->member != NULL && thread->profiling) {
		pomp_team_executed_last(thread, event->id, body);
		return true;
	}
	pomp_event_end(thread);
	return true;
}

/* A complete entering event of a construct, block or wait. */
ALWAYS_INLINE void pomp_event_enter(
    OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !pomp_fast_enter(&event, role, kind)))
		pomp_event_enter_slow(region, role, kind);
}

/* A complete leaving event of a construct, block or wait. */
ALWAYS_INLINE void pomp_event_leave(
    OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !pomp_fast_leave(&event, role, kind)))
		pomp_event_leave_slow(region, role, kind);
}

#endif
