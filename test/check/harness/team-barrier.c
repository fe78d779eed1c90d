/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers of two members, of three that count, and of three in groups: after a barrier all see
 * what each wrote before it, tasks that were generated before it are complete, and waits end if the
 * region is cancelled. Some in every order, larger ones within one or two preemptions, and groups
 * at random.
 */
#include "check.h"
#include "team-by-hand.h"

enum { CANCEL_PARALLEL = 1, MOST = 3 };

bool GOMP_cancel(int kind, bool condition);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
    bool condition, unsigned flags, void **depend, int priority);

static int written[MOST], late;

/* Each sees after the barrier what the others wrote before it. */
static void exchange(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	written[self->number] = 1;
	EXPECT(!rt_team_barrier(self));
	for (uint32_t i = 0; i < self->team->size; i++)
		EXPECT(written[i] == 1);
}

static void pair(void)
{
	hand_team_run(2, exchange);
}
HARNESS(team_barrier_pair, "a barrier of two members") = {.run = pair};

/* A member that is early at the second barrier does not let the other one pass the first. */
static void twice(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	written[self->number] = 1;
	EXPECT(!rt_team_barrier(self));
	EXPECT(written[1 - self->number] == 1);
	EXPECT(!rt_team_barrier(self));
	written[self->number] = 2;
}

static void pair_twice(void)
{
	hand_team_run(2, twice);
}
HARNESS(team_barrier_pair_twice, "two barriers of two members") = {
    .run = pair_twice, .preemptions = 2};

static void counted(void)
{
	hand_team_run(3, exchange);
}
HARNESS(team_barrier_counted, "a barrier of three members, who count") = {
    .run = counted, .preemptions = 1};

static void in_groups(void)
{
	hand_team_run_divided(exchange);
}
HARNESS(team_barrier_groups, "a barrier of three members in two groups") = {
    .run = in_groups, .random_runs = 6000};

/* The last member to come cancels the region instead, and so ends the waits of the others. */
static void cancel_or_wait(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	uint32_t last = self->team->size - 1;

	(void)argument;
	written[self->number] = 1;
	if (self->number == last)
		EXPECT(GOMP_cancel(CANCEL_PARALLEL, true));
	else
		EXPECT(rt_team_barrier(self));
	EXPECT(written[last] == 1);
}

static void pair_cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run(2, cancel_or_wait);
}
HARNESS(team_barrier_pair_cancelled, "cancel parallel while one of two waits") = {
    .run = pair_cancelled};

static void counted_cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run(3, cancel_or_wait);
}
HARNESS(team_barrier_counted_cancelled, "cancel parallel while two of three wait") = {
    .run = counted_cancelled, .preemptions = 1};

static void groups_cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run_divided(cancel_or_wait);
}
HARNESS(team_barrier_groups_cancelled, "cancel parallel while two of three in groups wait") = {
    .run = groups_cancelled, .preemptions = 1};

static void note(void *data)
{
	(void)data;
	late = 1;
}

/* A task that either member executes is complete after the barrier, and both see it. */
static void leave_task(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	if (self->number == 0)
		GOMP_task(note, NULL, NULL, 0, 1, true, 0, NULL, 0);
	EXPECT(!rt_team_barrier(self));
	EXPECT(late == 1);
}

static void pair_with_task(void)
{
	hand_team_run(2, leave_task);
}
HARNESS(team_barrier_pair_task, "a task is complete behind a barrier of two members") = {
    .run = pair_with_task, .preemptions = 1};
