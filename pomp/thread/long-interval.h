/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a thread's time went between two events that are far apart. Time in which a thread did not
 * run, although OpenMP did not make it wait, is no work. It is accounted as a wait in the construct
 * whose work it interrupted, so that bodies, their imbalance and the useful time count what ran.
 *
 * The kernel is asked only after a long interval, so a short one is taken to have run. A thread
 * loses a processor for milliseconds, which makes the interval a long one. What the thread lost in
 * short intervals since the previous reading would be accounted to this one.
 */
#ifndef LONG_INTERVAL_H
#define LONG_INTERVAL_H

#include "process-state.h"
#include "thread-block.h"

/*
 * Returns about so many ticks. A counter, whose rate is not known before the end, is taken to tick
 * twice in a nanosecond: with 4 GHz the time is half as long, with 1 GHz twice.
 */
static inline uint64_t pomp_interval_ticks(uint64_t nanoseconds)
{
	return pomp_process.clock.counter ? nanoseconds * 2 : nanoseconds;
}

/* Takes the first reading of the calling thread. */
void pomp_interval_begin(struct pomp_thread *thread);

/*
 * The same without a system call. Its first long interval takes the reading then. If the thread has
 * run for less time than has elapsed since it began here, it is taken to have begun its life here;
 * else the kernel's figures of its first interval are not known, and it counts as run.
 */
void pomp_interval_begin_late(struct pomp_thread *thread);

/*
 * Accounts the interval from the thread's latest event to `now` to its innermost frame; called only
 * by pomp_event_time(). Returns the time of the event, which is not before the latest.
 */
uint64_t pomp_interval_end(struct pomp_thread *thread, uint64_t now);

#endif
