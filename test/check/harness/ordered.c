/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ordered: the ordered regions of a loop are executed in the order of its iterations, each once,
 * and each sees what the earlier ones wrote. The same holds for the waits of a doacross loop's
 * iterations, by words (gcc) and by bits (clang). If the region is cancelled, all waits end. Chunks
 * in turn within two preemptions, three members at random, the rest in every order.
 */
#include "check.h"
#include "iteration-posts.h"
#include "loops.h"
#include "team-by-hand.h"

enum { CANCEL_PARALLEL = 1, ITERATIONS = 3 };

bool GOMP_cancel(int kind, bool condition);

static uint64_t last; /* ordered regions executed so far */
static uint64_t done[ITERATIONS];

static const struct rt_loop_args dynamic_loop = {
    .kind = RT_LOOP_DYNAMIC, .end = ITERATIONS, .step = 1, .count = ITERATIONS, .chunk = 1};
static const struct rt_loop_args static_loop = {
    .kind = RT_LOOP_STATIC, .end = 2, .step = 1, .count = 2, .chunk = 1};

static void execute_ordered(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	const struct rt_loop *loop = &self->member->loop;

	(void)argument;
	rt_loop_begin(self, &dynamic_loop, RT_SHARE_ORDERED);
	while (rt_loop_next(self))
		for (uint64_t i = loop->low; i < loop->high; i++) {
			rt_ordered_begin(self);
			EXPECT(last++ == i);
			rt_ordered_end(self);
		}
	rt_loop_end(self);
}

static void ordered(void)
{
	hand_team_run(2, execute_ordered);
	EXPECT(last == ITERATIONS);
}
HARNESS(ordered_pair, "ordered regions of two members") = {.run = ordered, .preemptions = 2};

/* Iterations without an ordered region pass the turn on when their chunk ends. */
static void execute_some(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	const struct rt_loop *loop = &self->member->loop;

	(void)argument;
	rt_loop_begin(self, &dynamic_loop, RT_SHARE_ORDERED);
	while (rt_loop_next(self))
		if (loop->low != 1) {
			rt_ordered_begin(self);
			EXPECT(last == loop->low);
			last = loop->low + 2;
			rt_ordered_end(self);
		}
	rt_loop_end(self);
}

static void skipped(void)
{
	hand_team_run(2, execute_some);
	EXPECT(last == ITERATIONS + 1);
}
HARNESS(ordered_skipped, "ordered regions that one iteration does not have") = {
    .run = skipped, .preemptions = 2};

/* Iteration 1 waits for 0; by member, as the schedule is static. */
static void execute_doacross(void *argument)
{
	static const uint64_t extents[1] = {2}, first[1] = {0}, second[1] = {1};
	struct rt_thread *self = hand_team_enter();
	struct rt_loop *loop = &self->member->loop;

	(void)argument;
	rt_loop_begin(self, &static_loop, RT_SHARE_ALWAYS);
	rt_doacross_begin(self, 1, extents);
	if (rt_workshare_prepare(self, loop->share)) {
		rt_doacross_prepare(self);
		rt_workshare_prepared(loop->share);
	}
	EXPECT(rt_loop_next(self) && loop->low == self->number);
	if (self->number == 0) {
		done[0] = 1;
		rt_doacross_post(self, first);
	} else {
		rt_doacross_wait(self, first);
		done[1] = done[0] + 1;
		rt_doacross_post(self, second);
	}
	rt_loop_end(self);
}

static void doacross(void)
{
	hand_team_run(2, execute_doacross);
	EXPECT(done[1] == 2);
}
HARNESS(ordered_doacross, "a doacross loop of two iterations") = {.run = doacross};

static void execute_bits(void *argument)
{
	static const struct rt_range range = {.lower = 0, .upper = 1, .step = 1};
	static const int64_t first[1] = {0}, second[1] = {1};
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	rt_iteration_posts_begin(self, 1, &range);
	if (self->number == 0) {
		done[0] = 1;
		rt_iteration_posts_post(self, first);
	} else {
		rt_iteration_posts_wait(self, first);
		done[1] = done[0] + 1;
		rt_iteration_posts_post(self, second);
	}
	rt_iteration_posts_end(self);
}

static void bits(void)
{
	hand_team_run(2, execute_bits);
	EXPECT(done[1] == 2);
}
HARNESS(ordered_bits, "clang's doacross loop of two iterations") = {.run = bits};

/* Iterations 0 and 1 are posted by two members in one word, 2 waits for both. */
static void execute_bits_of_word(void *argument)
{
	static const struct rt_range range = {.lower = 0, .upper = 2, .step = 1};
	struct rt_thread *self = hand_team_enter();
	int64_t own = self->number;

	(void)argument;
	rt_iteration_posts_begin(self, 1, &range);
	for (int64_t other = 0; own == 2 && other < own; other++) {
		rt_iteration_posts_wait(self, &other);
		EXPECT(done[other] == 1);
	}
	done[own] = 1;
	rt_iteration_posts_post(self, &own);
	rt_iteration_posts_end(self);
}

static void bits_of_word(void)
{
	hand_team_run(3, execute_bits_of_word);
}
HARNESS(ordered_bits_of_word, "two members post in one word that a third reads") = {
    .run = bits_of_word, .random_runs = 4000};

/* The iteration that is waited for does not come: its member cancels the region. */
static void cancel_or_turn(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	rt_loop_begin(self, &static_loop, RT_SHARE_ORDERED);
	if (self->number == 0) {
		GOMP_cancel(CANCEL_PARALLEL, true);
	} else if (rt_loop_next(self)) {
		rt_ordered_begin(self);
		EXPECT(load_relaxed(&self->team->cancelled) != 0);
	}
}

static void turn_cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run(2, cancel_or_turn);
}
HARNESS(ordered_cancelled, "cancel parallel while a member waits for its turn") = {
    .run = turn_cancelled};

static void cancel_or_bit(void *argument)
{
	static const struct rt_range range = {.lower = 0, .upper = 1, .step = 1};
	static const int64_t first[1] = {0};
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	rt_iteration_posts_begin(self, 1, &range);
	if (self->number == 0)
		GOMP_cancel(CANCEL_PARALLEL, true);
	else
		rt_iteration_posts_wait(self, first);
}

static void bits_cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run(2, cancel_or_bit);
}
HARNESS(ordered_bits_cancelled, "cancel parallel while a member waits for a bit") = {
    .run = bits_cancelled};
