/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short way of an event: what happens nearly always, in a function that calls no other and
 * therefore saves no registers. Each step first looks whether anything is out of the ordinary
 * (a new thread or region, a filter, metrics, a clock that is not the processor's counter, a full
 * window, a frame that is not on top); if so nothing was changed, and the event goes the long way
 * of event.c, which knows all of that.
 */
#ifndef SHORT_H
#define SHORT_H

#include "event.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Whether measurement is off for good: the first question, so that a call then costs next to
 * nothing. */
ALWAYS_INLINE bool pomp_short_off(void)
{
	return unlikely(load_relaxed(&pomp_state) == POMP_STATE_OFF);
}

/* Begins an event and finds the region's sums; NULL: go the long way. */
ALWAYS_INLINE struct pomp_accumulator *pomp_short_begin(
    const OMPRegDescr *region, struct pomp_thread **owner)
{
	struct pomp_thread *thread = pomp_self;

	if (unlikely(thread == NULL))
		return NULL;
	uint64_t sequence = load_relaxed(&thread->sequence);
	if (unlikely(((sequence & 1) | thread->careful | thread->off) != 0))
		return NULL;
	store_relaxed(&thread->sequence, sequence + 1);
	order_for_compiler();
	uint64_t id = __atomic_load_n(&region->data[0], __ATOMIC_RELAXED);
	if (likely(load_relaxed(&pomp_state) == POMP_STATE_ON && id < POMP_FIRST_REGIONS)) {
		struct pomp_accumulator *sums = &thread->first[id];
		if (likely(sums->plain)) {
			*owner = thread;
			return sums;
		}
	}
	store_release(&thread->sequence, sequence);
	return NULL;
}

/* The time now, 0 where a record of it needs the long way. */
ALWAYS_INLINE uint64_t pomp_short_time(const struct pomp_thread *thread)
{
	uint64_t now = pomp_clock_counter();

	if (unlikely(now < thread->time || now < thread->log.time))
		return 0;
	if (likely(thread->log.cursor < thread->log.limit))
		return likely(now - thread->log.time <= TRACE_LOG_TIME_MAX) ? now : 0;
	return likely(!thread->log.enabled) ? now : 0;
}

ALWAYS_INLINE void pomp_short_log(
    struct pomp_log *log, uint64_t *cursor, uint64_t word, uint64_t now)
{
	pomp_log_publish(cursor, word);
	log->cursor = cursor + 1;
	log->time = now;
}

/* Notes the time of an event and, where there is a log, its record. */
ALWAYS_INLINE void pomp_short_record(
    struct pomp_thread *thread, enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	struct pomp_log *log = &thread->log;
	uint64_t *cursor = log->cursor;

	if (cursor < log->limit)
		pomp_short_log(log, cursor, pomp_log_word(kind, id, now - log->time), now);
	else
		thread->time = now;
}

/* The same with a payload word. */
ALWAYS_INLINE void pomp_short_record_with(struct pomp_thread *thread, enum trace_log_kind kind,
    uint64_t id, uint64_t now, uint64_t payload)
{
	struct pomp_log *log = &thread->log;
	uint64_t *cursor = log->cursor;

	if (cursor < log->limit) {
		cursor[1] = trace_log_payload(payload);
		pomp_short_log(log, cursor, pomp_log_word(kind, id, now - log->time), now);
		log->cursor = cursor + 2;
	} else {
		thread->time = now;
	}
}

/* Whether a frame can be pushed at `now`; if not the event is dropped, to go the long way. */
ALWAYS_INLINE bool pomp_short_can_push(struct pomp_thread *thread, uint64_t now)
{
	if (likely(thread->top + 1 != thread->stack_limit && now != 0))
		return true;
	pomp_event_drop(thread);
	return false;
}

ALWAYS_INLINE struct pomp_frame *pomp_short_push(
    struct pomp_thread *thread, struct pomp_accumulator *sums, enum pomp_role role, uint64_t now)
{
	struct pomp_frame *frame = ++thread->top;

	frame->accumulator = sums;
	frame->role = role;
	frame->silent = 0;
	frame->enter = now;
	memset(&frame->children, 0, sizeof(frame->children) + sizeof(frame->own));
	sums->depth++;
	return frame;
}

/*
 * Whether the frame on top is the one that is left at `now`; if not the event is dropped, to go the
 * long way.
 */
ALWAYS_INLINE bool pomp_short_can_pop(struct pomp_thread *thread,
    const struct pomp_accumulator *sums, enum pomp_role role, uint64_t now)
{
	const struct pomp_frame *frame = thread->top;

	if (likely(frame->accumulator == sums && frame->role == role && !frame->silent && now != 0))
		return true;
	pomp_event_drop(thread);
	return false;
}

/* Enters; false: go the long way. */
ALWAYS_INLINE bool pomp_short_enter(struct pomp_thread *thread, struct pomp_accumulator *sums,
    const OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	uint64_t now = pomp_short_time(thread);

	if (!pomp_short_can_push(thread, now))
		return false;
	pomp_short_push(thread, sums, role, now);
	pomp_short_record(thread, kind, region->data[0], now);
	pomp_event_end(thread);
	return true;
}

/*
 * Logs a leave. When the record before is that of the enter, nothing happened in between: both
 * become one record, in one store, so that a log that breaks off here has the one or the other.
 */
ALWAYS_INLINE void pomp_short_log_leave(
    struct pomp_log *log, enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	uint64_t *cursor = log->cursor;
	uint64_t duration = now - log->time;

	if (id < UINT64_C(1) << TRACE_LOG_VISIT_ARGUMENT_BITS &&
	    duration < UINT64_C(1) << TRACE_LOG_VISIT_DURATION_BITS) {
		/* Shifted left, what an enter's record has besides its time must be this. */
		uint64_t enter = cursor[-1] ^ pomp_log_word(kind - 1, id, 0);
		uint64_t distance = enter >> TRACE_LOG_TIME_SHIFT;
		if (enter << (64 - TRACE_LOG_TIME_SHIFT) == 0 &&
		    distance < UINT64_C(1) << TRACE_LOG_VISIT_TIME_BITS) {
			pomp_log_publish(cursor - 1, trace_log_visit(kind, id, duration, distance));
			log->time = now;
			return;
		}
	}
	pomp_short_log(log, cursor, pomp_log_word(kind, id, duration), now);
}

/* Leaves; false: go the long way. */
ALWAYS_INLINE bool pomp_short_leave(struct pomp_thread *thread, struct pomp_accumulator *sums,
    const OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	uint64_t now = pomp_short_time(thread);

	if (!pomp_short_can_pop(thread, sums, role, now))
		return false;
	uint64_t body = pomp_frame_close_simple(thread, thread->top, role, now);
	if (thread->log.cursor < thread->log.limit)
		pomp_short_log_leave(&thread->log, kind, region->data[0], now);
	else
		thread->time = now;
	if (role == POMP_ROLE_CONSTRUCT && pomp_kind_is_shared_work((enum pomp_kind)sums->kind) &&
	    thread->member != NULL && thread->profiling) {
		pomp_team_executed_last(thread, region->data[0], body);
		return true;
	}
	pomp_event_end(thread);
	return true;
}

/* A whole entering event of a construct, block or wait. */
ALWAYS_INLINE void pomp_event_enter(
    OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread;

	if (pomp_short_off())
		return;
	struct pomp_accumulator *sums = pomp_short_begin(region, &thread);
	if (unlikely(sums == NULL || !pomp_short_enter(thread, sums, region, role, kind)))
		pomp_event_enter_long(region, role, kind);
}

/* A whole leaving event of a construct, block or wait. */
ALWAYS_INLINE void pomp_event_leave(
    OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread;

	if (pomp_short_off())
		return;
	struct pomp_accumulator *sums = pomp_short_begin(region, &thread);
	if (unlikely(sums == NULL || !pomp_short_leave(thread, sums, region, role, kind)))
		pomp_event_leave_long(region, role, kind);
}

#endif
