/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting: a bounded spin, which ends early if it hinders the awaited thread, then sleep in the
 * kernel.
 *
 * Every wait of the runtime is written as
 *
 *	struct rt_spin spin = rt_spin_begin();
 *	while (!condition) {
 *		if (rt_spin_again(&spin))
 *			continue;
 *		uint32_t ticket = rt_event_announce(event);
 *		if (condition)
 *			rt_event_withdraw(event);
 *		else
 *			rt_event_sleep(event, ticket);
 *	}
 *
 * The thread that makes the condition true does so with a sequential store or read-modify-write,
 * then calls rt_event_notify(). The condition must be read with load_sequential() after the
 * announcement (elsewhere an acquire suffices).
 */
#ifndef RT_WAIT_H
#define RT_WAIT_H
#include "atomics.h"
#include "processor-code.h"
#include "resources.h"

/* Where threads sleep until something may have changed; zero is its initial value. */
struct rt_event {
	_Atomic uint32_t count;    /* the futex word: changes with each wake-up */
	_Atomic uint32_t sleepers; /* announced threads; none is woken while it is 0 */
};

/* The state of one thread's current wait. */
struct rt_spin {
	uint64_t turns;  /* pauses done so far */
	uint64_t limit;  /* pauses allowed */
	uint64_t begun;  /* rt_now_ns() soon after its begin */
	uint64_t stamp;  /* rt_now_ns() when it was last read */
	uint32_t yields; /* sched_yield() calls still allowed */
};

/*
 * Begins a wait. `shortage` is what the caller knows of its team. If the team has more threads than
 * processors, the wait starts with yields. If the quota does not keep all threads running, the wait
 * is short: the processors may be free, but time spent now is missing later.
 */
struct rt_spin rt_spin_begin(enum rt_shortage shortage);

/* Waits a little. False: sleep now (and again after each return from sleep). */
bool rt_spin_again_slow(struct rt_spin *spin);

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t rt_now_ns(void);

/* Between two readings of the clock the wait stays in this inline loop. */
static inline bool rt_spin_again(struct rt_spin *spin)
{
	if (likely(spin->turns < spin->limit && (++spin->turns & 63) != 0)) {
		rt_pause();
		return true;
	}
	return rt_spin_again_slow(spin);
}

/*
 * The caller is about to sleep; from now on rt_event_notify() changes the count. Acquire, pairs
 * with rt_event_wake(): a thread that was woken sees what was done before that.
 */
static inline uint32_t rt_event_announce(struct rt_event *event)
{
	uint32_t ticket = load_acquire(&event->count);
	add_sequential(&event->sleepers, 1);
	return ticket;
}

static inline void rt_event_withdraw(struct rt_event *event)
{
	sub_relaxed(&event->sleepers, 1);
}

/* After an announcement: sleeps until the event is notified; may also return without a reason. */
void rt_event_sleep(struct rt_event *event, uint32_t ticket);
/* Wakes up to `threads` sleepers; for rt_event_notify() and rt_event_notify_one(). */
void rt_event_wake(struct rt_event *event, int threads);

/* Wakes every sleeper of the event; costs one load when there is none. */
static inline void rt_event_notify(struct rt_event *event)
{
	if (unlikely(load_sequential(&event->sleepers) != 0))
		rt_event_wake(event, INT32_MAX);
}

/* The same for a condition that only one thread can use. */
static inline void rt_event_notify_one(struct rt_event *event)
{
	if (unlikely(load_sequential(&event->sleepers) != 0))
		rt_event_wake(event, 1);
}

/* The bare system calls, for words that carry their own sleeper flag (struct rt_mutex). */
void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected);
/* The number of threads woken, at most `threads`. */
int rt_futex_wake(_Atomic uint32_t *word, int threads);

#endif
