/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of real workers: each member executes the body once and sees what the forking thread
 * wrote before the region; what the members wrote is seen behind it; workers that sleep between
 * regions are woken, and those that are not needed sleep until they are. One region of two members
 * in every order, two within a preemption, the rest at random.
 */
#include "check.h"
#include "team-by-hand.h"

enum { MOST = 3 };

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);

static int before, by_member[MOST];

static void body(void *argument)
{
	uint32_t number = rt_self()->number;

	CHECK(before == *(int *)argument);
	by_member[number]++;
}

static void execute(unsigned members)
{
	before++;
	GOMP_parallel(body, &before, members, 0);
}

/* Starts the workers of a team of so many, which wait for its first region. */
static void start_workers(uint32_t members)
{
	hand_no_spinning();
	CHECK(rt_team_prepare(rt_self(), &members) != NULL && members > 1);
}

static void pair(void)
{
	start_workers(2);
	execute(2);
	CHECK(by_member[0] == 1 && by_member[1] == 1);
}
HARNESS(fork_join_pair, "a region of two members") = {.run = pair};

static void pair_twice(void)
{
	start_workers(2);
	execute(2);
	execute(2);
	CHECK(by_member[0] == 2 && by_member[1] == 2);
}
HARNESS(fork_join_pair_twice, "two regions of two members") = {.run = pair_twice, .preemptions = 1};

static void three(void)
{
	start_workers(3);
	execute(3);
	CHECK(by_member[0] == 1 && by_member[1] == 1 && by_member[2] == 1);
}
HARNESS(fork_join_three, "a region of three members") = {.run = three, .random_runs = 8000};

/* The worker that the region of one does not need sleeps until the next one does. */
static void smaller(void)
{
	hand_no_spinning();
	execute(3);
	execute(2);
	execute(3);
	CHECK(by_member[0] == 3 && by_member[1] == 3 && by_member[2] == 2);
}
HARNESS(fork_join_resized, "regions of three, two and three members") = {
    .run = smaller, .random_runs = 6000};

static void larger(void)
{
	hand_no_spinning();
	execute(1);
	execute(2);
	execute(3);
	execute(2);
	CHECK(by_member[0] == 4 && by_member[1] == 3 && by_member[2] == 1);
}
HARNESS(fork_join_grown, "regions of one, two, three and two members") = {
    .run = larger, .random_runs = 6000};
