/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strands of execution of the process (threads, and tasks and teams that the runtime executes
 * as strands of their own) with the locks that each holds, and what orders their actions apart from
 * locks.
 *
 * Each strand counts its releases. A strand's clock has, for each strand, the number of the release
 * that it has seen last (vector clocks: Fidge 1988, Mattern 1989). An action of strand s at count n
 * comes before an action of another strand if that one's clock has at least n for s. Locks are left
 * out: which thread has a lock first is chance, and two orders of locks that only chance keeps
 * apart can meet.
 *
 * Nothing is counted before the first thread takes a lock while it holds another: only orders after
 * that can matter. If the tables are full, or the hooks are incomplete, order_clocks_stop() ends
 * all of it, because without the clocks orders that can never meet would look as if they could.
 */
#ifndef ORDER_CLOCKS_H
#define ORDER_CLOCKS_H

#include "agent-atomics.h"
#include "shared/race-log.h"
#include "tsan-report.h"

#include <stdbool.h>
#include <stdint.h>

/* gcc makes calls of memcpy() and memset() of loops, which ThreadSanitizer would intercept. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum {
	CLOCK_STRANDS = 512,
	/*
	 * That a strand holds at once. While it holds more, it notes no order: one that is not
	 * listed may keep others out.
	 */
	HELD_LOCKS = 32,
	HELD_FRAMES = 6,  /* of the call that took a lock */
	CYCLE_FRAMES = 32 /* of the call that wants another one */
};

struct order_clock {
	uint32_t at[CLOCK_STRANDS];
};

/*
 * identity: null if another thread has given the lock back; only then another thread than the
 * strand's writes it. All other fields are the strand's own.
 */
struct held_lock {
	_Atomic(const void *) identity;
	const void *variable;
	enum race_lock_kind kind;
	uintptr_t frames[HELD_FRAMES]; /* return addresses, innermost first; 0 after the last */
};

struct order_strand {
	void *fiber; /* ThreadSanitizer's; written once, before the strand counts */
	uint32_t index;
	_Atomic uint32_t thread; /* the native thread that executes it, counted from 1 */
	_Atomic uint32_t held_count;
	struct held_lock held[HELD_LOCKS];
	uint32_t held_more;           /* taken when the list was full */
	_Atomic(const void *) wanted; /* see lock-cycles.c; null: it waits for none */
	uintptr_t low, high;          /* a part of its stack that is known to be readable */
	uint32_t epoch;               /* changes with the clock */
	struct order_clock clock;
};

/* A lock for a few instructions, in which nothing else is called. */
struct agent_lock {
	_Atomic bool is_taken;
};

void agent_lock_take(struct agent_lock *lock);
void agent_lock_give(struct agent_lock *lock);

/* Called once, while the process has one thread. Before that the hooks do nothing. */
void order_clocks_begin(void);
void order_clocks_stop(void);

/* What a thread remembers: the strands that it executed last. */
enum { THREAD_STRANDS = 8 };
struct order_thread {
	bool is_away;
	uint32_t thread; /* 0: not counted yet */
	uint32_t held;   /* locks that its strands hold, at least */
	uint32_t next;
	void *fiber; /* of `strand`, the last one */
	struct order_strand *strand;
	struct order_strand *recent[THREAD_STRANDS];
};
extern _Thread_local struct order_thread order_own __attribute__((tls_model("initial-exec")));
extern _Atomic bool order_is_on;

/* The calling thread's strand with this fiber, or NULL. */
struct order_strand *order_strand_find(void *fiber);

/* The number of the thread that executes the strand, or executed it last. */
static inline uint32_t order_strand_thread(const struct order_strand *strand)
{
	return load_relaxed(&strand->thread);
}

/* A strand that the calling thread executed; NULL: none, or now one of another thread. */
static inline struct order_strand *order_strand_of_thread(uint32_t number)
{
	struct order_strand *strand = order_own.recent[number];

	return strand != NULL && order_strand_thread(strand) == order_own.thread ? strand : NULL;
}

/* The calling strand, or NULL: there is nothing to do. */
static inline struct order_strand *order_strand_self(void)
{
	if (!load_relaxed(&order_is_on) || order_own.is_away)
		return NULL;
	void *fiber = __tsan_get_current_fiber();
	if (fiber == NULL) /* before ThreadSanitizer has begun */
		return NULL;
	if (fiber == order_own.fiber && order_strand_thread(order_own.strand) == order_own.thread)
		return order_own.strand;
	return order_strand_find(fiber);
}

/*
 * Until order_strand_return(), the calling thread does something for the library itself, in which
 * order_strand_self() is NULL.
 */
void order_strand_leave(void);
void order_strand_return(void);

/* From now on clocks count. */
void order_clocks_count(void);
bool order_clocks_are_counting(void);

/* Does the action of `first` at that count come before what has this clock? */
static inline bool order_is_before(uint32_t first, uint32_t count, const struct order_clock *clock)
{
	return clock->at[first] >= count;
}

/* How many strands there are: entries of clocks from there on are 0. */
uint32_t order_strand_count(void);
struct order_strand *order_strand_at(uint32_t index);

/*
 * Where the calling thread is in the structure of the program. region 0: it is not known. A thread
 * begins with the position that the thread that made it has given it.
 */
const struct team_position *position_self(void);
void position_begin_thread(const struct team_position *thread);

/* The strand has acquired what another one released. */
void position_acquired(void);

#endif
