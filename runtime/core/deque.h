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
	_Atomic uint32_t hungry;           /* 1: somebody looked here for a task in vain */
	RT_PADDED _Atomic uint64_t bottom; /* next free slot; written by the owner */
	_Atomic(struct rt_task *) slots[RT_DEQUE_SLOTS];
	/* The owner's own: thieves write `top`, so it looks there as seldom as it can. */
	uint64_t top_seen; /* top is at least this */
	uint32_t enough;   /* tasks that it keeps for others, 1 .. RT_DEQUE_SLOTS; see below */
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

/* Owner only: would others find nothing? Relaxed: a hint. */
static inline bool rt_deque_is_empty(const struct rt_deque *deque)
{
	return load_relaxed(&deque->top) >= load_relaxed(&deque->bottom);
}

/*
 * How many tasks a deque should hold. Enough are as many as others may want before the owner next
 * comes by; each further one is better executed at once by who generates it, which costs a fifth of
 * queueing it. In a region a deque begins with the most that it can hold. The owner that gets a
 * tiny task back, because nobody wanted it, halves the number; who looks for work in vain has it
 * raised. So a recursion down to tiny tasks keeps one task in each deque, the oldest, which is the
 * largest.
 */
static inline void rt_deque_begin(struct rt_deque *deque)
{
	deque->enough = RT_DEQUE_SLOTS;
}

/* Owner only: can it be told to hold less? Then it should time the tasks that it takes back. */
static inline bool rt_deque_may_want_less(const struct rt_deque *deque)
{
	return deque->enough > 1;
}

static inline void rt_deque_want_less(struct rt_deque *deque)
{
	deque->enough /= 2;
}

/* A thread that found no task here asks the owner for more. Relaxed: a hint. */
static inline void rt_deque_ask(struct rt_deque *deque)
{
	if (load_relaxed(&deque->hungry) == 0)
		store_relaxed(&deque->hungry, 1);
}

/* Owner only: need the next task not be queued? `threads`: that may come for tasks. */
bool rt_deque_has_plenty(struct rt_deque *deque, uint32_t threads);

/* The same for the cases that are told without a call; false: ask rt_deque_has_plenty(). */
static inline bool rt_deque_surely_has_plenty(struct rt_deque *deque)
{
	if (deque->patience > 1) {
		deque->patience--;
		return true;
	}
	return load_relaxed(&deque->bottom) - deque->top_seen >= deque->enough &&
	       deque->enough < RT_DEQUE_SLOTS && load_relaxed(&deque->top) == deque->top_seen &&
	       load_relaxed(&deque->hungry) == 0;
}

#endif
