/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of barriers: the last thread to arrive sees everything that the others wrote before
 * they arrived, and opens the barrier; each thread that waits then sees all of it. One node, and a
 * tree with a fan-in of RT_BARRIER_FAN, in which a thread arrives for several members. Each barrier
 * is passed twice, so that nodes are used again.
 */
#include "atomics.h"
#include "barrier.h"
#include "check.h"
#include "process.h"
#include "wait.h"

enum { THREADS = 3, ROUNDS = 2 };

static struct rt_barrier barrier;
static struct rt_event event;
static int written[ROUNDS][THREADS];

/* Members first .. end - 1 are one thread's. */
struct part {
	uint32_t first, end, threads, rounds;
};

static void wait_for_generation(uint32_t before)
{
	struct rt_spin spin = rt_spin_begin(RT_SHORTAGE_NONE);

	while (load_sequential(&barrier.generation) == before) {
		uint32_t ticket;

		if (rt_spin_again(&spin))
			continue;
		ticket = rt_event_announce(&event);
		if (load_sequential(&barrier.generation) != before)
			rt_event_withdraw(&event);
		else
			rt_event_sleep(&event, ticket);
	}
}

static void check_round(const struct part *part, uint32_t round)
{
	for (uint32_t i = 0; i < part->threads; i++)
		EXPECT(written[round][i] == 1);
}

static void arrive(void *argument)
{
	const struct part *part = argument;

	for (uint32_t round = 0; round < part->rounds; round++) {
		uint32_t before = load_relaxed(&barrier.generation);
		bool is_last = false;

		written[round][check_thread()] = 1;
		for (uint32_t i = part->first; i < part->end; i++) {
			EXPECT(!is_last);
			is_last = rt_barrier_arrive(&barrier, i);
		}
		if (is_last) {
			check_round(part, round);
			rt_barrier_open(&barrier);
			rt_event_notify(&event);
		} else {
			wait_for_generation(before);
			check_round(part, round);
		}
		EXPECT(load_relaxed(&barrier.generation) == round + 1);
	}
}

static void run_parts(struct part *parts, uint32_t count)
{
	rt_process.spin_count = 0;
	EXPECT(rt_barrier_resize(&barrier, parts[count - 1].end));
	for (uint32_t i = 1; i < count; i++)
		check_start(arrive, &parts[i]);
	arrive(&parts[0]);
	check_join();
	rt_barrier_finish(&barrier);
}

static void two(void)
{
	struct part parts[] = {{0, 1, 2, 2}, {1, 2, 2, 2}};

	run_parts(parts, 2);
}
HARNESS(barrier_two, "two threads pass a barrier twice") = {.run = two};

static void three(void)
{
	struct part parts[] = {{0, 1, 3, 1}, {1, 2, 3, 1}, {2, 3, 3, 1}};

	run_parts(parts, THREADS);
}
HARNESS(barrier_three, "three threads pass a barrier") = {.run = three, .preemptions = 2};

static void tree(void)
{
	struct part parts[] = {{0, 8, 2, 2}, {8, 9, 2, 2}};

	run_parts(parts, 2);
}
HARNESS(barrier_tree, "two threads pass a barrier of nine members, in two nodes, twice") = {
    .run = tree};

/* The first node is two threads', so what one writes reaches the third through the other. */
static void tree_of_three(void)
{
	struct part parts[] = {{0, 1, 3, 1}, {1, 8, 3, 1}, {8, 9, 3, 1}};

	run_parts(parts, THREADS);
}
HARNESS(barrier_tree_three, "three threads pass a barrier of nine members") = {
    .run = tree_of_three, .preemptions = 2};

/* Larger, smaller, larger: nodes are reset, and the memory for more is kept. */
static void resize(void)
{
	static const uint32_t sizes[] = {2, 9, 2, 17};
	uint32_t last;

	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		EXPECT(rt_barrier_resize(&barrier, sizes[i]));
		last = 0;
		for (uint32_t member = 0; member < sizes[i]; member++) {
			EXPECT(last == 0);
			last = rt_barrier_arrive(&barrier, member);
		}
		EXPECT(last == 1);
	}
	rt_barrier_finish(&barrier);
}
HARNESS(barrier_resize, "the last to arrive is the last in each size") = {.run = resize};
