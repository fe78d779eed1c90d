/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of an event, and the metrics that are read with it. */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "lock.h"
#include "process-state.h"
#include "thread-block.h"

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

#endif
