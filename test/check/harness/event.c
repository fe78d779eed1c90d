/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping at an event as every wait of the runtime does it: no wake-up is lost, neither if all
 * sleepers are woken nor if one is woken for each item, and a thread that continues sees what the
 * notifying thread wrote. Two threads and three, waits that sleep at once, one spurious wake-up.
 */
#include "atomics.h"
#include "check.h"
#include "process.h"
#include "wait.h"

static struct rt_event event;
static _Atomic uint32_t tokens;
static int payload;

static bool take_token(void)
{
	uint32_t found = load_sequential(&tokens);

	while (found > 0)
		if (cas_acquire(&tokens, &found, found - 1))
			return true;
	return false;
}

static bool is_there(void)
{
	return load_sequential(&tokens) != 0;
}

static void wait_until(bool (*condition)(void))
{
	struct rt_spin spin = rt_spin_begin(RT_SHORTAGE_NONE);

	while (!condition()) {
		uint32_t ticket;

		if (rt_spin_again(&spin))
			continue;
		ticket = rt_event_announce(&event);
		if (condition()) {
			rt_event_withdraw(&event);
			return;
		}
		rt_event_sleep(&event, ticket);
	}
}

static void wait_for_it(void *argument)
{
	(void)argument;
	wait_until(is_there);
	EXPECT(payload == 1);
}

static void give_all(void)
{
	rt_process.spin_count = 0;
	check_start(wait_for_it, NULL);
	payload = 1;
	store_sequential(&tokens, 1);
	rt_event_notify(&event);
	check_join();
	EXPECT(load_relaxed(&event.sleepers) == 0);
}
HARNESS(event_one_sleeper, "a thread sleeps until another one notifies") = {
    .run = give_all, .spurious = 1};

static void two_sleepers(void)
{
	rt_process.spin_count = 0;
	check_start(wait_for_it, NULL);
	check_start(wait_for_it, NULL);
	payload = 1;
	store_sequential(&tokens, 1);
	rt_event_notify(&event);
	check_join();
	EXPECT(load_relaxed(&event.sleepers) == 0);
}
HARNESS(event_two_sleepers, "two threads sleep until a third one notifies") = {.run = two_sleepers};

static void take_one(void *argument)
{
	(void)argument;
	wait_until(take_token);
}

static void each_takes_one(void)
{
	rt_process.spin_count = 0;
	check_start(take_one, NULL);
	check_start(take_one, NULL);
	for (int i = 0; i < 2; i++) {
		add_sequential(&tokens, 1);
		rt_event_notify_one(&event);
	}
	check_join();
	EXPECT(load_relaxed(&tokens) == 0 && load_relaxed(&event.sleepers) == 0);
}
HARNESS(event_one_each, "two threads sleep, each for a thing of its own") = {
    .run = each_takes_one, .preemptions = 2};

/* A short spin in place of none: the wait goes over from spinning to sleep. */
static void spin_first(void)
{
	rt_process.spin_count = 1;
	check_start(wait_for_it, NULL);
	payload = 1;
	store_sequential(&tokens, 1);
	rt_event_notify(&event);
	check_join();
}
HARNESS(event_spin, "a thread spins, then sleeps until another one notifies") = {.run = spin_first};
