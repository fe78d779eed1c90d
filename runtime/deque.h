/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The queue of ready tasks of one member: a bounded deque of Chase and Lev. The owner pushes and
 * takes at the bottom, anybody steals at the top. When it is full the owner executes the task at
 * once, so that no program fills the memory with tasks that nobody has begun.
 */
#ifndef RT_DEQUE_H
#define RT_DEQUE_H

#include "atomics.h"

struct rt_task;

/* Enough to keep thieves busy for a while; a power of two. */
enum { RT_DEQUE_SLOTS = 128 };

struct rt_deque {
	RT_PADDED _Atomic uint64_t top;    /* next to be stolen; only grows */
	RT_PADDED _Atomic uint64_t bottom; /* next free slot; written by the owner */
	_Atomic(struct rt_task *) slots[RT_DEQUE_SLOTS];
	/* The owner's own: thieves write `top`, so it looks there as seldom as it can. */
	uint64_t top_seen; /* top is at least this */
	uint32_t patience; /* tasks to execute before it looks again whether the flood is over */
};

/* Owner only. False: full. */
bool rt_deque_push(struct rt_deque *deque, struct rt_task *task);

/*
 * Takes the newest (owner) or the oldest task, if there is one that may be executed above `below`
 * (NULL: any may). The task stays where it is otherwise.
 */
struct rt_task *rt_deque_take(struct rt_deque *deque, const struct rt_task *below);
struct rt_task *rt_deque_steal(struct rt_deque *deque, const struct rt_task *below);

/*
 * Owner only: are there plenty of tasks? From when the deque is full until it is half empty, so
 * that an owner that is faster than the thieves does not hand over task by task.
 */
static inline bool rt_deque_has_plenty(struct rt_deque *deque)
{
	enum { PATIENCE = 8 };
	uint64_t bottom = load_relaxed(&deque->bottom);

	if (deque->patience > 0) {
		if (--deque->patience > 0)
			return true;
		deque->top_seen = load_relaxed(&deque->top);
		if (bottom - deque->top_seen > RT_DEQUE_SLOTS / 2)
			deque->patience = PATIENCE;
		return deque->patience > 0;
	}
	if (likely(bottom - deque->top_seen < RT_DEQUE_SLOTS))
		return false;
	deque->top_seen = load_acquire(&deque->top);
	if (bottom - deque->top_seen >= RT_DEQUE_SLOTS)
		deque->patience = PATIENCE;
	return deque->patience > 0;
}

#endif
