/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deque of ready tasks: each task is taken once, by a thread that sees what its creator wrote;
 * a thread that sleeps because there are no tasks is woken; slots are used again; the number of
 * queued tasks is limited. One owner and one thief, or two thieves that try once each, in every
 * order unless a harness says otherwise.
 */
#include "check.h"
#include "deque.h"
#include "process.h"
#include "task.h"
#include "wait.h"

enum { TASKS = 4 };

static struct rt_deque deque;
static struct rt_task tasks[TASKS], filling;
static _Atomic uint32_t had[TASKS];
static struct rt_event event;

/* A task bears its number where programs have a priority. */
static bool make(uint32_t number)
{
	tasks[number].flags = RT_TASK_UNTIED;
	tasks[number].priority = (int32_t)number;
	return rt_deque_push(&deque, &tasks[number]);
}

static bool note(const struct rt_task *task)
{
	if (task == NULL)
		return false;
	EXPECT(task >= tasks && task < tasks + TASKS);
	EXPECT(task->priority == task - tasks);
	EXPECT(add_relaxed(&had[task->priority], 1) == 0);
	return true;
}

static uint32_t count_had(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < TASKS; i++)
		count += load_relaxed(&had[i]);
	return count;
}

static void steal_once(void *argument)
{
	(void)argument;
	note(rt_deque_steal(&deque, NULL));
}

static void steal_twice(void *argument)
{
	steal_once(argument);
	steal_once(argument);
}

static void take_all(void)
{
	while (note(rt_deque_take(&deque, NULL)))
		;
	EXPECT(rt_deque_is_empty(&deque));
}

static void last_task(void)
{
	make(0);
	check_start(steal_once, NULL);
	note(rt_deque_take(&deque, NULL));
	check_join();
	EXPECT(count_had() == 1);
	EXPECT(rt_deque_is_empty(&deque));
}
HARNESS(deque_last, "an owner and a thief want the last task") = {.run = last_task};

static void push_and_take(void)
{
	check_start(steal_twice, NULL);
	make(0);
	make(1);
	take_all();
	check_join();
	EXPECT(count_had() == 2);
}
HARNESS(deque_push, "an owner queues two tasks and takes them back before a thief") = {
    .run = push_and_take};

/* The thief may have seen the deque longer than it is now. */
static void shrink_and_grow(void)
{
	make(0);
	make(1);
	check_start(steal_twice, NULL);
	note(rt_deque_take(&deque, NULL));
	note(rt_deque_take(&deque, NULL));
	make(2);
	take_all();
	check_join();
	EXPECT(count_had() == 3);
}
HARNESS(deque_grow, "an owner takes two tasks and queues one, a thief steals") = {
    .run = shrink_and_grow};

static void two_thieves(void)
{
	make(0);
	make(1);
	check_start(steal_once, NULL);
	check_start(steal_once, NULL);
	note(rt_deque_take(&deque, NULL));
	check_join();
	take_all();
	EXPECT(count_had() == 2);
}
HARNESS(deque_two_thieves, "an owner and two thieves want two tasks") = {.run = two_thieves};

/* The owner empties the deque while one thief steals and the other sees that. */
static void two_thieves_and_push(void)
{
	make(0);
	make(1);
	check_start(steal_once, NULL);
	check_start(steal_once, NULL);
	note(rt_deque_take(&deque, NULL));
	note(rt_deque_take(&deque, NULL));
	make(2);
	check_join();
	take_all();
	EXPECT(count_had() == 3);
}
HARNESS(deque_two_thieves_push, "an owner takes two tasks and queues one, two thieves steal") = {
    .run = two_thieves_and_push};

/*
 * Positions 0 to RT_DEQUE_SLOTS - 1 are full, of tasks that do not count but for the first. The
 * owner can queue one more as soon as the thief has the first, in whose slot it comes.
 */
static void wrap_around(void)
{
	make(0);
	for (uint32_t i = 1; i < RT_DEQUE_SLOTS; i++)
		EXPECT(rt_deque_push(&deque, &filling));
	EXPECT(!make(1));
	check_start(steal_once, NULL);
	if (!make(1)) {
		check_join();
		EXPECT(make(1));
	}
	check_join();
	EXPECT(note(rt_deque_take(&deque, NULL)));
	EXPECT(load_relaxed(&had[0]) == 1 && load_relaxed(&had[1]) == 1);
}
HARNESS(deque_wrap, "a task comes in the slot of one that was stolen") = {.run = wrap_around};

static void sleep_for_a_task(void *argument)
{
	struct rt_spin spin = rt_spin_begin(RT_SHORTAGE_NONE);

	(void)argument;
	while (!note(rt_deque_steal(&deque, NULL))) {
		uint32_t ticket;

		if (rt_spin_again(&spin))
			continue;
		ticket = rt_event_announce(&event);
		if (note(rt_deque_steal(&deque, NULL))) {
			rt_event_withdraw(&event);
			return;
		}
		rt_event_sleep(&event, ticket);
	}
}

static void wake_thief(void)
{
	rt_process.spin_count = 0;
	check_start(sleep_for_a_task, NULL);
	make(0);
	rt_event_notify_one(&event);
	check_join();
	EXPECT(count_had() == 1);
}
HARNESS(deque_wakes, "a thief that sleeps is woken by the next task") = {
    .run = wake_thief, .spurious = 1};

/* As after many tiny tasks that were taken back: one is queued for others. */
static void begin_with_one(void)
{
	rt_deque_begin(&deque);
	while (rt_deque_can_lower_limit(&deque))
		rt_deque_lower_limit(&deque);
}

static void saturated(void)
{
	begin_with_one();
	make(0);
	check_start(steal_twice, NULL);
	if (!rt_deque_is_surely_saturated(&deque) && !rt_deque_is_saturated(&deque, 2))
		make(1);
	take_all();
	check_join();
	EXPECT(count_had() == 1 + (load_relaxed(&had[1]) != 0));
}
HARNESS(deque_saturated, "an owner that may queue one task asks whether it is stolen") = {
    .run = saturated};

static void steal_and_miss(void *argument)
{
	steal_once(argument);
	rt_deque_note_failed_steal(&deque);
}

/* Each thread has ended when the owner looks, so that the hints are what they should be. */
static void limit(void)
{
	begin_with_one();
	EXPECT(!rt_deque_is_surely_saturated(&deque) && !rt_deque_is_saturated(&deque, 2));
	make(0);
	EXPECT(rt_deque_is_surely_saturated(&deque) && rt_deque_is_saturated(&deque, 2));
	check_start(steal_once, NULL);
	check_join();
	EXPECT(rt_deque_is_empty(&deque));
	EXPECT(!rt_deque_is_surely_saturated(&deque) && !rt_deque_is_saturated(&deque, 2));
	make(1);
	make(2);
	check_start(steal_and_miss, NULL);
	check_join();
	EXPECT(!rt_deque_is_surely_saturated(&deque) && !rt_deque_is_saturated(&deque, 2));
	make(3);
	EXPECT(rt_deque_is_surely_saturated(&deque) && rt_deque_is_saturated(&deque, 2));
	take_all();
	EXPECT(count_had() == TASKS);
}
HARNESS(deque_limit, "a failed attempt to steal raises the number of tasks to queue") = {
    .run = limit};

/* A thief that comes from the region before finds the deque as the next one fills it. */
static void between_regions(void)
{
	rt_deque_begin(&deque);
	make(0);
	check_start(steal_twice, NULL);
	take_all();
	rt_deque_begin(&deque);
	make(1);
	take_all();
	check_join();
	EXPECT(count_had() == 2);
}
HARNESS(deque_regions, "a thief of one region steals in the next one") = {.run = between_regions};
