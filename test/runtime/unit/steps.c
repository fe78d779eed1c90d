/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many steps the runtime's shared structures take as teams grow, counted in the code itself:
 * the read-modify-writes of a barrier's arrival and of a steal are replaced by ones that count. So
 * the growth is known without a machine of that many processors: an arrival climbs at most
 * ceil(log8 T) counters, all arrivals together make fewer than 8/7 T + log8 T steps, no counter is
 * touched by more than 8 members, a steal is one compare-and-swap however many tasks are queued,
 * and a recursion from which no thread steals queues a number of tasks that grows with its depth
 * only.
 */
#include <stdio.h>
#include <string.h>

#include "atomics.h"

static unsigned taken_steps;

#undef sub_acq_rel
#define sub_acq_rel(p, v) (taken_steps++, atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel))
#undef cas_sequential
#define cas_sequential(p, expected, v)                                                             \
	(taken_steps++, atomic_compare_exchange_strong_explicit(                                   \
			    (p), (expected), (v), memory_order_seq_cst, memory_order_relaxed))

/* The code under test, with the counting operations. */
#include "ancestors.c"
#include "barrier.c"
#include "deque.c"

static int failures;

static void expect(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "steps.c:%d: %s: expected true, found false\n", line, what);
	failures++;
}

#define EXPECT(condition)             expect((condition), #condition, __LINE__)
#define EXPECT_EQUAL(found, expected) EXPECT((found) == (expected))

static unsigned levels(unsigned members)
{
	unsigned count = 1;

	while ((members = groups(members)) > 1)
		count++;
	return count;
}

/*
 * Members arrive in an order that `stride`, without a divisor in common with their number, gives.
 */
static void meet(struct rt_barrier *barrier, unsigned members, unsigned stride)
{
	unsigned total = 0, last = 0;

	for (unsigned i = 0; i < members; i++) {
		taken_steps = 0;
		if (rt_barrier_arrive(barrier, (uint32_t)((uint64_t)i * stride % members))) {
			last++;
			EXPECT_EQUAL(i, members - 1);
			rt_barrier_open(barrier);
		}
		EXPECT(taken_steps >= 1 && taken_steps <= levels(members));
		total += taken_steps;
	}
	EXPECT_EQUAL(last, 1);
	EXPECT(7 * total <= 8 * members + 7 * levels(members));
}

static void barriers(void)
{
	static const unsigned sizes[] = {
	    2, 3, 7, 8, 9, 16, 63, 64, 65, 128, 500, 512, 513, 1024, 4096};
	struct rt_barrier *barrier = aligned_alloc(128, sizeof(*barrier));

	memset(barrier, 0, sizeof(*barrier));
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		EXPECT(rt_barrier_resize(barrier, sizes[s]));
		for (uint32_t i = 0; i < groups(sizes[s]); i++)
			EXPECT(load_relaxed(&barrier->nodes[i].missing) <= RT_BARRIER_FAN);
		for (unsigned round = 0; round < 3; round++)
			meet(barrier, sizes[s], 8191);
		EXPECT_EQUAL(load_relaxed(&barrier->generation), 3 * (s + 1));
	}
	EXPECT_EQUAL(levels(8), 1);
	EXPECT_EQUAL(levels(64), 2);
	EXPECT_EQUAL(levels(512), 3);
	EXPECT_EQUAL(levels(4096), 4);
	rt_barrier_finish(barrier);
	free(barrier);
}

static struct rt_deque *new_deque(void)
{
	struct rt_deque *deque = aligned_alloc(128, sizeof(*deque));

	memset(deque, 0, sizeof(*deque));
	rt_deque_begin(deque);
	return deque;
}

static void steals(void)
{
	static struct rt_task task;
	struct rt_deque *deque = new_deque();

	for (int queued = 1; queued <= RT_DEQUE_SLOTS; queued++) {
		while (load_relaxed(&deque->bottom) - load_relaxed(&deque->top) < (uint64_t)queued)
			EXPECT(rt_deque_push(deque, &task));
		taken_steps = 0;
		EXPECT(rt_deque_steal(deque, NULL) == &task);
		EXPECT_EQUAL(taken_steps, 1);
	}
	while (rt_deque_take(deque, NULL) != NULL)
		;
	taken_steps = 0;
	EXPECT(rt_deque_steal(deque, NULL) == NULL);
	EXPECT_EQUAL(taken_steps, 0);
	free(deque);
}

/* The tasks of a binary recursion that are queued: the others are executed at once. */
static unsigned recursion(struct rt_deque *deque, struct rt_task *tasks, unsigned depth)
{
	unsigned queued = 0, kept = 0;

	if (depth == 0)
		return 0;
	for (int child = 0; child < 2; child++) {
		if (rt_deque_is_surely_saturated(deque) || rt_deque_is_saturated(deque, 2)) {
			queued += recursion(deque, tasks, depth - 1);
		} else {
			EXPECT(rt_deque_push(deque, &tasks[depth]));
			queued++;
			kept++;
		}
	}
	for (; kept > 0 && rt_deque_take(deque, NULL) != NULL; kept--) {
		queued += recursion(deque, tasks, depth - 1);
		if (rt_deque_can_lower_limit(deque))
			rt_deque_lower_limit(deque);
	}
	return queued;
}

static void recursions(void)
{
	static struct rt_task tasks[32];

	for (unsigned depth = 2; depth <= 20; depth++) {
		struct rt_deque *deque = new_deque();
		unsigned first = recursion(deque, tasks, depth), next = first;

		/*
		 * When the deque has learnt, a task of each level is queued, of two to its power.
		 */
		for (int i = 0; i < 8; i++)
			next = recursion(deque, tasks, depth);
		EXPECT(first <= 8 * depth);
		EXPECT(next <= depth);
		if (depth == 20)
			printf("depth 20, a million tasks: %u queued, then %u\n", first, next);
		free(deque);
	}
}

int main(void)
{
	barriers();
	steals();
	recursions();
	return failures != 0;
}
