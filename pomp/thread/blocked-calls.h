/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For what threads were blocked, in which constructs: the blocked time of each construct, and how
 * often each system call was seen there. The time of a call is its share of the construct's.
 */
#ifndef BLOCKED_CALLS_H
#define BLOCKED_CALLS_H

#include "blocked-observer.h"
#include "thread-block.h"

/* Where it was: a region's number, 0: outside of all; and whether the thread was in no team. */
struct pomp_blocked_place {
	uint64_t region;
	bool is_serial;
	uint64_t ticks; /* blocked there, all threads */
	uint64_t looks; /* of all calls that were seen there */
};

/* How often a call was seen at a place; both are indices. */
struct pomp_blocked_count {
	uint32_t site, place;
	uint64_t looks;
};

/* Of all threads. The lock is for what threads add; they add no more when measuring has stopped. */
struct pomp_blocked {
	const struct pomp_blocked_call *sites; /* without looks and time */
	size_t site_count;
	const struct pomp_blocked_place *places;
	size_t place_count;
	const struct pomp_blocked_count *counts;
	size_t count_count;
	bool observed; /* there is an observer, or was one */
};

/* Lets the calling thread be observed, whose block this is, and not any more. */
void pomp_blocked_begin(struct pomp_thread *thread);
void pomp_blocked_end(struct pomp_thread *thread);

/*
 * Accounts a long interval of the calling thread, which was blocked for so long in its innermost
 * frame, and logs the calls. Those that were seen before `begin` (CLOCK_MONOTONIC) belong to none.
 */
void pomp_blocked_add(
    struct pomp_thread *thread, const struct pomp_frame *frame, uint64_t ticks, uint64_t begin);

/* Forgets what was seen of the calling thread since its latest long interval. */
void pomp_blocked_forget(struct pomp_thread *thread);

/* In the child of a fork. */
void pomp_blocked_after_fork(void);

/* Returns all that was added; what it points to changes with the next addition. */
struct pomp_blocked pomp_blocked(void);

#endif
