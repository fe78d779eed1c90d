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
	RT_PADDED _Atomic uint64_t top; /* next to be stolen; only grows */
	RT_PADDED _Atomic uint64_t bottom; /* next free slot; written by the owner */
	_Atomic(struct rt_task *) slots[RT_DEQUE_SLOTS];
	bool flooded; /* was full and is not half empty yet; the owner's */
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
 * Owner only: are there plenty of tasks? From when the deque is full until it is half empty, so that
 * an owner that is faster than the thieves does not hand over task by task.
 */
static inline bool rt_deque_has_plenty(struct rt_deque *deque)
{
	uint64_t length = load_relaxed(&deque->bottom) - load_relaxed(&deque->top);

	if (length >= RT_DEQUE_SLOTS)
		deque->flooded = true;
	else if (length <= RT_DEQUE_SLOTS / 2)
		deque->flooded = false;
	return deque->flooded;
}

/* Owner only: tasks in the deque, at least those that nobody stole meanwhile. */
static inline bool rt_deque_is_empty(struct rt_deque *deque)
{
	return load_relaxed(&deque->bottom) <= load_relaxed(&deque->top);
}

#endif
