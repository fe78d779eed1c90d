/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waking members of a team: a member that waits for a condition or a task does not sleep through
 * it, wherever it sleeps, even if the team has just been divided. The harness constructs the team;
 * waits are written as in rt_task_help_until().
 */
#include <stdlib.h>

#include "check.h"
#include "groups.h"
#include "process.h"
#include "team.h"

enum { TASKS = 2, MEMBERS = 3 };

static struct rt_team team;
static struct rt_task tasks[TASKS];
static struct rt_deque deques[TASKS]; /* of the thread that makes the task of that number */
static _Atomic uint32_t condition;
static int payload;

static bool is_true(void)
{
	return load_sequential(&condition) != 0;
}

static void wait_for_condition(void *argument)
{
	(void)argument;
	while (!is_true()) {
		uint32_t ticket = rt_event_announce(&team.event);

		if (is_true())
			rt_event_withdraw(&team.event);
		else
			rt_event_sleep(&team.event, ticket);
	}
	EXPECT(payload == 1);
}

static void notify(void)
{
	check_start(wait_for_condition, NULL);
	payload = 1;
	store_sequential(&condition, 1);
	rt_team_notify(&team);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(team_notify, "a member sleeps until its team is notified") = {.run = notify};

static struct rt_task *find(void)
{
	struct rt_task *task = NULL;

	if (load_sequential(&team.has_tasks) == 0)
		return NULL;
	for (uint32_t i = 0; i < TASKS && task == NULL; i++)
		task = rt_deque_steal(&deques[i], NULL);
	return task;
}

/* One task and no more: the thread that executes it may be busy for ever. */
static void execute_one(void *argument)
{
	struct rt_task *task;

	(void)argument;
	while ((task = find()) == NULL) {
		uint32_t ticket = rt_event_announce(&team.event);

		task = find();
		if (task != NULL) {
			rt_event_withdraw(&team.event);
			break;
		}
		rt_event_sleep(&team.event, ticket);
	}
	EXPECT(task->depth == 1);
	task->depth = 2;
}

static void offer(void *argument)
{
	struct rt_task *task = argument;

	task->depth = 1;
	EXPECT(rt_deque_push(&deques[task - tasks], task));
	rt_team_offer_task(&team);
}

static void offer_one(void)
{
	rt_process.spin_count = 0;
	check_start(execute_one, NULL);
	offer(&tasks[0]);
	check_join();
	EXPECT(tasks[0].depth == 2);
}
HARNESS(team_offer, "a member sleeps until its team has a task") = {.run = offer_one};

static void offer_two(void)
{
	rt_process.spin_count = 0;
	check_start(execute_one, NULL);
	check_start(execute_one, NULL);
	offer(&tasks[0]);
	offer(&tasks[1]);
	check_join();
	EXPECT(tasks[0].depth == 2 && tasks[1].depth == 2);
}
HARNESS(team_offer_two, "two members sleep until their team has two tasks") = {
    .run = offer_two, .preemptions = 2};

/* The thread that offers the second task may find that the creator of the first one has set the
 * word. */
static void two_offer(void)
{
	rt_process.spin_count = 0;
	check_start(execute_one, NULL);
	check_start(execute_one, NULL);
	check_start(offer, &tasks[1]);
	offer(&tasks[0]);
	check_join();
	EXPECT(tasks[0].depth == 2 && tasks[1].depth == 2);
}
HARNESS(team_two_offer, "two members sleep until two others have a task each") = {
    .run = two_offer, .preemptions = 1};

static void divide(void)
{
	struct rt_groups_key key = {.size = MEMBERS};
	struct rt_groups *groups = rt_groups_new(&key, NULL, 2);

	EXPECT(groups != NULL);
	rt_groups_begin_use(groups, 0, 0, 0);
	store_release(&team.divisions, groups);
	store_release(&team.groups, groups);
}

/* Sleeps where the division says, if it has seen that. */
static void wait_in_group(void *argument)
{
	struct rt_group *group = rt_group_of(load_acquire(&team.groups), 0);
	uint32_t ticket;

	if (group == NULL) {
		wait_for_condition(argument);
		return;
	}
	while (!is_true()) {
		ticket = rt_group_announce(group, &team.event.sleepers);
		if (is_true())
			rt_group_withdraw(group, &team.event.sleepers);
		else
			rt_group_sleep(group, &team.event.sleepers, ticket);
	}
	EXPECT(payload == 1);
}

static void set_and_notify(void *argument)
{
	(void)argument;
	payload = 1;
	store_sequential(&condition, 1);
	rt_team_notify(&team);
}

/* By a thread that is no member, as where omp_fulfill_event() completes a task. */
static void wake_division(void)
{
	check_start(set_and_notify, NULL);
	divide();
	wait_in_group(NULL);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
	rt_groups_free(load_relaxed(&team.divisions));
}
HARNESS(team_wake_division, "a thread wakes a team that is divided meanwhile") = {
    .run = wake_division};

/*
 * A worker between two regions is about to sleep. What is notified of is the end of the first one,
 * after which the forking thread divides the team for the second.
 */
static void wake_while_dividing(void)
{
	rt_event_announce(&team.event);
	check_start(set_and_notify, NULL);
	while (!is_true())
		rt_pause();
	divide();
	check_join();
	rt_event_withdraw(&team.event);
	EXPECT(payload == 1);
}
HARNESS(team_wake_dividing, "the end of a region is notified of while the next one divides") = {
    .run = wake_while_dividing};

static void offer_while_dividing(void)
{
	rt_event_announce(&team.event);
	check_start(offer, &tasks[0]);
	while (find() == NULL)
		rt_pause();
	divide();
	check_join();
	rt_event_withdraw(&team.event);
}
HARNESS(team_offer_dividing, "the last task of a region is offered while the next one divides") = {
    .run = offer_while_dividing};

static void execute_one_in_group(void *argument)
{
	struct rt_group *group = rt_group_of(load_acquire(&team.groups), *(uint32_t *)argument);
	struct rt_task *task;
	uint32_t ticket;

	while ((task = find()) == NULL) {
		ticket = rt_group_announce(group, &team.event.sleepers);
		task = find();
		if (task != NULL) {
			rt_group_withdraw(group, &team.event.sleepers);
			break;
		}
		rt_group_sleep(group, &team.event.sleepers, ticket);
	}
	EXPECT(task->depth == 1);
}

static uint32_t numbers[] = {0, 1, 2};

static void offer_to_division(void)
{
	rt_process.spin_count = 0;
	check_start(offer, &tasks[0]);
	divide();
	execute_one_in_group(&numbers[0]);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(team_offer_division, "a task is offered to a team that is divided meanwhile") = {
    .run = offer_to_division};

/* One in each group. */
static void offer_two_to_groups(void)
{
	rt_process.spin_count = 0;
	divide();
	check_start(execute_one_in_group, &numbers[0]);
	check_start(execute_one_in_group, &numbers[2]);
	offer(&tasks[0]);
	offer(&tasks[1]);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(team_offer_groups, "members of two groups sleep until their team has two tasks") = {
    .run = offer_two_to_groups, .preemptions = 2};
