/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bounded work-stealing deque of Chase and Lev ("Dynamic circular work-stealing deque", SPAA
 * 2005). Positions are 64-bit and only grow (bottom steps back by one at a time), so a position
 * stands for one task and a thief's compare-and-swap on top cannot be fooled by reuse of the slot.
 *
 * Who sees what:
 *   push      bottom sequential: a thief that sees it (acquire) sees the task; and it is ordered
 *             before the pusher's look for sleepers, see rt_event_notify()
 *   take      bottom sequential, then top sequential: if an owner and a thief both want the last
 *             task, at least one sees the other, and the compare-and-swap on top decides. Release:
 *             a thief that finds top where the owner moved it does not see an older, larger bottom
 *   steal     top (acquire, partner of both compare-and-swaps), then bottom (sequential, partner of
 *             take); the compare-and-swap on top is sequential, so that a thief that sees it and
 *             the owner that did not see it agree on one order of it and of their accesses to
 *             bottom
 *   slots     release in push, acquire by a thief: the owner may have taken a task back and pushed
 *             another one since the thief read bottom, and the thief reads the task's fields before
 *             its compare-and-swap
 *
 * A slot is overwritten only after top has passed it (push checks, with an older value of top at
 * worst), so a thief whose compare-and-swap succeeds has read the right slot. This is why push
 * reads top with acquire: without this order, C11 allows the thief to read the value that the owner
 * stores after the steal. No processor does that, since a store does not overtake what it depends
 * on, and test/check does not try it.
 */
#include "deque.h"
#include "shared/precondition.h"

#include "task.h"

#define SLOT(deque, position) (&(deque)->slots[(position) % RT_DEQUE_SLOTS])

static bool is_owner(const struct rt_deque *deque)
{
#ifdef NDEBUG
	return deque != NULL;
#else
	return !deque->has_owner || pthread_equal(deque->owner, pthread_self());
#endif
}

bool rt_deque_push(struct rt_deque *deque, struct rt_task *task)
{
	CHECK(task != NULL, "there is a task");
	CHECK(is_owner(deque), "the owner pushes");

	uint64_t bottom = load_relaxed(&deque->bottom);

	if (unlikely(bottom - deque->top_seen >= RT_DEQUE_SLOTS)) {
		/* Acquire: thieves have finished with the slots that are filled again. */
		deque->top_seen = load_acquire(&deque->top);
		if (bottom - deque->top_seen >= RT_DEQUE_SLOTS)
			return false;
	}
	store_release(SLOT(deque, bottom), task);
	store_sequential(&deque->bottom, bottom + 1);
	return true;
}

struct rt_task *rt_deque_take(struct rt_deque *deque, const struct rt_task *below)
{
	CHECK(is_owner(deque), "the owner takes");

	uint64_t bottom = load_relaxed(&deque->bottom);
	uint64_t top = load_relaxed(&deque->top);
	struct rt_task *task;

	if (top >= bottom)
		return NULL;
	bottom--;
	task = load_relaxed(SLOT(deque, bottom));
	if (!rt_task_may_run(task, below))
		return NULL;
	store_sequential(&deque->bottom, bottom);
	top = load_sequential(&deque->top);
	if (top < bottom)
		return task;
	if (top == bottom && !cas_release(&deque->top, &top, top + 1))
		task = NULL;
	else if (top > bottom)
		task = NULL;
	store_relaxed(&deque->bottom, bottom + 1);
	return task;
}

struct rt_task *rt_deque_steal(struct rt_deque *deque, const struct rt_task *below)
{
	uint64_t top = load_acquire(&deque->top);
	struct rt_task *task;

	if (top >= load_sequential(&deque->bottom))
		return NULL;
	task = load_acquire(SLOT(deque, top));
	if (task == NULL || !rt_task_may_run(task, below))
		return NULL;
	if (!cas_sequential(&deque->top, &top, top + 1))
		return NULL;
	return task;
}

enum rt_deque_content rt_deque_look(struct rt_deque *deque, const struct rt_task *below)
{
	uint64_t top = load_acquire(&deque->top);
	uint64_t bottom = load_sequential(&deque->bottom);

	for (uint64_t i = top; i < bottom; i++) {
		const struct rt_task *task = load_acquire(SLOT(deque, i));
		if (task != NULL && rt_task_may_run(task, below))
			return RT_DEQUE_USABLE;
	}
	return top < bottom ? RT_DEQUE_REFUSED : RT_DEQUE_EMPTY;
}

/*
 * A full deque gets no more tasks until it is half empty. The owner checks that only now and then:
 * its thieves are slower than it is, and each look takes the cache line of `top` from them.
 */
bool rt_deque_is_saturated(struct rt_deque *deque, uint32_t threads)
{
	CHECK(is_owner(deque), "the owner asks");

	enum { CHECK_INTERVAL = 32 };
	uint32_t more = deque->limit * 2 > threads ? deque->limit * 2 : threads;
	uint64_t bottom = load_relaxed(&deque->bottom), queued;

	if (deque->unchecked == 0 && bottom - deque->top_seen < deque->limit)
		return false;
	/* Acquire, as in push: the slots that this shows to be free are filled next. */
	deque->top_seen = load_acquire(&deque->top);
	queued = bottom - deque->top_seen;
	if (deque->limit == RT_DEQUE_SLOTS) {
		bool plenty = queued > RT_DEQUE_SLOTS / 2;
		deque->unchecked = plenty ? CHECK_INTERVAL : 0;
		return plenty;
	}
	deque->unchecked = 0;
	if (queued < deque->limit)
		return false;
	if (load_relaxed(&deque->steal_failed) == 0)
		return true;
	store_relaxed(&deque->steal_failed, 0);
	deque->limit = more < RT_DEQUE_SLOTS ? more : RT_DEQUE_SLOTS;
	return queued >= deque->limit;
}
