/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The queue of ready tasks of one member: a bounded Chase-Lev deque. The owner pushes and takes at
 * the bottom, all others steal at the top. If it is full, the owner executes the task at once, so
 * that no program fills the memory with tasks that have not begun.
 */
#ifndef RT_DEQUE_H
#define RT_DEQUE_H
#include <pthread.h>

#include "atomics.h"
#include "processor-code.h"
#include "shared/precondition.h"

struct rt_task;

/* Enough to keep thieves busy for a while. */
enum { RT_DEQUE_SLOTS = 128 };
_Static_assert(
    (RT_DEQUE_SLOTS & (RT_DEQUE_SLOTS - 1)) == 0, "slots follow from positions by a mask");

struct rt_deque {
	RT_PADDED _Atomic uint64_t top;    /* next to be stolen; only grows */
	_Atomic uint32_t steal_failed;     /* 1: a thread looked here for a task and found none */
	RT_PADDED _Atomic uint64_t bottom; /* next free slot; written by the owner */
	_Atomic(struct rt_task *) slots[RT_DEQUE_SLOTS];
	/*
	 * Only the owner uses these. Thieves write `top`, so the owner reads it as rarely as it
	 * can.
	 */
	uint64_t top_seen; /* top is at least this */
	uint32_t limit;    /* how many tasks it queues for others, 1 .. RT_DEQUE_SLOTS; see below */
	uint32_t unchecked; /* tasks to execute at once before it reads top again */
#ifndef NDEBUG
	pthread_t owner;
	bool has_owner; /* not before the first rt_deque_begin() */
#endif
};

/* By the thread that begins to use the deque, its owner. False: full. */
bool rt_deque_push(struct rt_deque *deque, struct rt_task *task);

/*
 * Take the newest (owner) or the oldest task if it may be executed above `below` (NULL: any may).
 * Otherwise the task stays where it is.
 */
struct rt_task *rt_deque_take(struct rt_deque *deque, const struct rt_task *below);
struct rt_task *rt_deque_steal(struct rt_deque *deque, const struct rt_task *below);

enum rt_deque_content { RT_DEQUE_EMPTY, RT_DEQUE_REFUSED, RT_DEQUE_USABLE };

/*
 * Any thread: does the deque, also between its two ends, contain a task that may be executed above
 * `below` (usable), or only tasks that may not (refused)? Sequential, which a thread that is about
 * to sleep needs. The walk reads tasks that others take meanwhile, see rt_task_may_run().
 */
enum rt_deque_content rt_deque_look(struct rt_deque *deque, const struct rt_task *below);

/* For the owner: would others find nothing? Relaxed: a hint. */
static inline bool rt_deque_is_empty(const struct rt_deque *deque)
{
	return load_relaxed(&deque->top) >= load_relaxed(&deque->bottom);
}

/*
 * How many tasks a deque should hold (task throttling). The limit is the number of tasks that
 * others may steal before the owner looks again; the thread that generates more executes them at
 * once, which costs a fifth of queueing them. In each region a deque begins with the largest limit.
 * An owner that takes back a tiny task, which no thread stole, halves the limit; a thread that
 * finds nothing to steal causes the owner to raise it. So a recursion down to tiny tasks keeps one
 * task in each deque, the oldest, which is the largest.
 */
static inline void rt_deque_begin(struct rt_deque *deque)
{
	deque->limit = RT_DEQUE_SLOTS;
#ifndef NDEBUG
	deque->owner = pthread_self();
	deque->has_owner = true;
#endif
}

/* Can the limit be lowered? Then the owner should time the tasks that it takes back. */
static inline bool rt_deque_can_lower_limit(const struct rt_deque *deque)
{
	return deque->limit > 1;
}

static inline void rt_deque_lower_limit(struct rt_deque *deque)
{
	CHECK(rt_deque_can_lower_limit(deque), "the limit can be lowered");
	deque->limit /= 2;
}

/* Called by a thread that found no task here: the owner should queue more. Relaxed: a hint. */
static inline void rt_deque_note_failed_steal(struct rt_deque *deque)
{
	if (load_relaxed(&deque->steal_failed) == 0)
		store_relaxed(&deque->steal_failed, 1);
}

/*
 * Should the owner execute the next task at once? threads: number of threads that may look for
 * tasks.
 */
bool rt_deque_is_saturated(struct rt_deque *deque, uint32_t threads);

/* The same, answered inline if possible; false: call rt_deque_is_saturated(). */
static inline bool rt_deque_is_surely_saturated(struct rt_deque *deque)
{
	if (deque->unchecked > 1) {
		deque->unchecked--;
		return true;
	}
	return load_relaxed(&deque->bottom) - deque->top_seen >= deque->limit &&
	       deque->limit < RT_DEQUE_SLOTS && load_relaxed(&deque->top) == deque->top_seen &&
	       load_relaxed(&deque->steal_failed) == 0;
}

#endif
