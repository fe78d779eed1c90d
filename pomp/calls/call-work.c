/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h for work-sharing, synchronisation and user regions. Each is a push to or a
 * pop from the region stack. What a pop counts depends only on the frame's role (see
 * pomp_frame_close_simple).
 */
#include "fast-path.h"
#include "plain-name.h"

#include <string.h>

/* A plain pair of calls around a construct. */
#define CONSTRUCT_CALLS(enter_name, leave_name, role)                                              \
	void pomp_##enter_name(OMPRegDescr *region)                                                \
	{                                                                                          \
		pomp_event_enter(region, role, TRACE_LOG_ENTER);                                   \
	}                                                                                          \
	PLAIN_NAME(pomp_##enter_name)                                                              \
	void pomp_##leave_name(OMPRegDescr *region)                                                \
	{                                                                                          \
		pomp_event_leave(region, role, TRACE_LOG_LEAVE);                                   \
	}                                                                                          \
	PLAIN_NAME(pomp_##leave_name)

/* Calls around a structured block within a construct. */
#define BLOCK_CALLS(name)                                                                          \
	void pomp_##name##_begin(OMPRegDescr *region)                                              \
	{                                                                                          \
		pomp_event_enter(region, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_ENTER);                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name##_begin)                                                            \
	void pomp_##name##_end(OMPRegDescr *region)                                                \
	{                                                                                          \
		pomp_event_leave(region, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_LEAVE);                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name##_end)

/* The calls that follow from the rows of the list of constructs, by the columns CALLED. */
#define CONSTRUCT_AROUND(stem) CONSTRUCT_CALLS(stem##_enter, stem##_exit, POMP_ROLE_CONSTRUCT)
#define CONSTRUCT_INSIDE(stem) CONSTRUCT_CALLS(stem##_begin, stem##_end, POMP_ROLE_CONSTRUCT)
#define CONSTRUCT_BOTH(stem)                                                                       \
	CONSTRUCT_AROUND(stem)                                                                     \
	BLOCK_CALLS(stem)
#define WAIT_AROUND(stem) CONSTRUCT_CALLS(stem##_enter, stem##_exit, POMP_ROLE_WAIT)
#define BY_HAND_AROUND(stem)
#define BY_HAND_INSIDE(stem)
#define BY_HAND_BOTH(stem)
#define BY_HAND_FORK(stem)
#define BY_HAND_CREATE(stem)
#define ELSEWHERE_INSIDE(stem)
#define CALLED(calls, stem, defined, group)                                    defined##_##calls(stem)
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about) called

CONSTRUCTS(CONSTRUCT)

CONSTRUCT_CALLS(begin, end, POMP_ROLE_CONSTRUCT)
CONSTRUCT_CALLS(critical_enter, critical_exit, POMP_ROLE_CONSTRUCT)
CONSTRUCT_CALLS(ordered_enter, ordered_exit, POMP_ROLE_CONSTRUCT)

void pomp_leave(OMPRegDescr **region)
{
	if (*region != NULL)
		pomp_end(*region);
}
PLAIN_NAME(pomp_leave)

/*
 * A section is a region of its own. With the descriptor of its `sections`, it is a block of that.
 */
void pomp_section_begin(OMPRegDescr *region)
{
	if (region->name[0] != '\0' && region->num_sections > 0)
		pomp_event_enter(region, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_ENTER);
	else
		pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}
PLAIN_NAME(pomp_section_begin)

void pomp_section_end(OMPRegDescr *region)
{
	if (region->name[0] != '\0' && region->num_sections > 0)
		pomp_event_leave(region, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_LEAVE);
	else
		pomp_event_leave(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}
PLAIN_NAME(pomp_section_end)

/*
 * The explicit barrier is a construct that only waits; an implicit one belongs to its construct. If
 * the region is not registered yet, the descriptor's name tells which it is.
 */
static bool is_explicit(const OMPRegDescr *region)
{
	return strcmp(region->name, construct_name(CONSTRUCT_BARRIER)) == 0;
}

void pomp_barrier_enter(OMPRegDescr *region)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (likely(pomp_fast_begin(&event, region)) &&
	    likely(event.sums->kind == CONSTRUCT_KIND_BARRIER
		       ? pomp_fast_enter(&event, POMP_ROLE_WAIT, TRACE_LOG_ENTER)
		       : pomp_fast_enter(&event, POMP_ROLE_BARRIER, TRACE_LOG_BARRIER_ENTER)))
		return;
	if (is_explicit(region))
		pomp_event_enter_slow(region, POMP_ROLE_WAIT, TRACE_LOG_ENTER);
	else
		pomp_event_enter_slow(region, POMP_ROLE_BARRIER, TRACE_LOG_BARRIER_ENTER);
}
PLAIN_NAME(pomp_barrier_enter)

void pomp_barrier_exit(OMPRegDescr *region)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (likely(pomp_fast_begin(&event, region)) &&
	    likely(event.sums->kind == CONSTRUCT_KIND_BARRIER
		       ? pomp_fast_leave(&event, POMP_ROLE_WAIT, TRACE_LOG_LEAVE)
		       : pomp_fast_leave(&event, POMP_ROLE_BARRIER, TRACE_LOG_BARRIER_LEAVE)))
		return;
	if (is_explicit(region))
		pomp_event_leave_slow(region, POMP_ROLE_WAIT, TRACE_LOG_LEAVE);
	else
		pomp_event_leave_slow(region, POMP_ROLE_BARRIER, TRACE_LOG_BARRIER_LEAVE);
}
PLAIN_NAME(pomp_barrier_exit)

/*
 * The thread holds the critical's lock from begin to end, so no other thread touches the lock's
 * record.
 */
static bool critical_begin_fast(struct pomp_fast *event)
{
	struct pomp_thread *thread = event->thread;
	struct pomp_lock *lock = event->sums->lock;

	if (!pomp_fast_can_push(event))
		return false;
	if (unlikely(lock == NULL || !pomp_lock_time_fits(lock, event->now))) {
		pomp_event_drop(thread);
		return false;
	}
	uint64_t wait = pomp_account_entry(thread, event->sums, event->now);
	uint64_t order = pomp_lock_acquired(lock, event->now - wait, event->now, wait);
	pomp_fast_push(event, POMP_ROLE_BLOCK);
	if (likely(pomp_lock_again(lock, thread->location)))
		pomp_fast_record(event, TRACE_LOG_CRITICAL_AGAIN);
	else
		pomp_fast_record_with(event, TRACE_LOG_CRITICAL_BEGIN, order);
	thread->more_events++;
	pomp_event_end(thread);
	return true;
}

static void critical_begin_slow(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	struct pomp_lock *lock = sums->lock;
	uint64_t now = pomp_event_time_leaving(thread);
	if (lock != NULL)
		now = pomp_event_time_acquired(thread, lock, now);
	uint64_t wait = pomp_account_entry(thread, sums, now);
	uint64_t order = 0;
	const struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_BLOCK, now);
	if (likely(frame != NULL && !frame->silent)) {
		if (lock != NULL)
			order = pomp_lock_acquired(lock, now - wait, now, wait);
		if (lock != NULL && pomp_lock_again(lock, thread->location))
			pomp_event_log(thread, TRACE_LOG_CRITICAL_AGAIN, 0, id, now, 0, 0);
		else
			pomp_event_log(thread, TRACE_LOG_CRITICAL_BEGIN, 1, id, now, order, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_critical_begin(OMPRegDescr *region)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !critical_begin_fast(&event)))
		critical_begin_slow(region);
}
PLAIN_NAME(pomp_critical_begin)

static bool critical_end_fast(struct pomp_fast *event)
{
	struct pomp_thread *thread = event->thread;
	struct pomp_lock *lock = event->sums->lock;

	if (!pomp_fast_can_pop(event, POMP_ROLE_BLOCK))
		return false;
	if (unlikely(lock == NULL)) {
		pomp_event_drop(thread);
		return false;
	}
	pomp_frame_close_simple(thread, event->sums, POMP_ROLE_BLOCK, event->now);
	pomp_lock_released(lock, event->now);
	pomp_fast_record(event, TRACE_LOG_CRITICAL_END);
	thread->more_events++;
	pomp_event_end(thread);
	return true;
}

static void critical_end_slow(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	struct pomp_frame *frame = pomp_frame_find(thread, sums, POMP_ROLE_BLOCK, now);
	if (likely(frame != NULL)) {
		pomp_frame_close_simple(thread, sums, POMP_ROLE_BLOCK, now);
		if (sums->lock != NULL)
			pomp_lock_released(sums->lock, now);
		pomp_event_log(thread, TRACE_LOG_CRITICAL_END, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_critical_end(OMPRegDescr *region)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (unlikely(!pomp_fast_begin(&event, region) || !critical_end_fast(&event)))
		critical_end_slow(region);
}
PLAIN_NAME(pomp_critical_end)

void pomp_ordered_begin(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	pomp_account_entry(thread, sums, now);
	const struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_BLOCK, now);
	if (likely(frame != NULL && !frame->silent))
		pomp_event_log(thread, TRACE_LOG_BLOCK_ENTER, 0, id, now, 0, 0);
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_ordered_begin)

void pomp_ordered_end(OMPRegDescr *region)
{
	pomp_event_leave(region, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_LEAVE);
}
PLAIN_NAME(pomp_ordered_end)
