/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of an event, and the metrics that are read with it. */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "lock.h"
#include "long-interval.h"
#include "process-state.h"
#include "thread-block.h"

/*
 * Makes `now` the time of the thread's latest event, and returns it: never before the one before.
 * The innermost frame is the one in which the thread was since then.
 */
static inline uint64_t pomp_event_time_at(struct pomp_thread *thread, uint64_t now)
{
	/* Also if the clock went back. */
	if (unlikely(now - thread->time > thread->long_interval))
		now = pomp_interval_end(thread, now);
	thread->time = now;
	return now;
}

/* Returns the time of the current event. */
static inline uint64_t pomp_event_time(struct pomp_thread *thread)
{
	return pomp_event_time_at(thread, pomp_clock_ticks(&pomp_process.clock));
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

#endif
