/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of real workers: each member executes the body once and sees what the forking thread
 * wrote before the region; the forking thread sees after the region what the members wrote; workers
 * that sleep between regions are woken, and workers that a region does not need sleep until one
 * needs them. One region of two members in every order, two within a preemption, the rest at
 * random.
 */
#include <stdlib.h>

#include "check.h"
#include "team-by-hand.h"

enum { MOST = 5 };

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
    bool condition, unsigned flags, void **depend, int priority);

static int before, by_member[MOST];
static const struct rt_team *initial;
static int executed; /* tasks */

static void body(void *argument)
{
	uint32_t number = rt_self()->number;

	EXPECT(before == *(int *)argument);
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
	EXPECT(rt_team_prepare(rt_self(), &members) != NULL && members > 1);
}

static void pair(void)
{
	start_workers(2);
	execute(2);
	EXPECT(by_member[0] == 1 && by_member[1] == 1);
}
HARNESS(fork_join_pair, "a region of two members") = {.run = pair};

static void pair_twice(void)
{
	start_workers(2);
	execute(2);
	execute(2);
	EXPECT(by_member[0] == 2 && by_member[1] == 2);
}
HARNESS(fork_join_pair_twice, "two regions of two members") = {.run = pair_twice, .preemptions = 1};

static void three(void)
{
	start_workers(3);
	execute(3);
	EXPECT(by_member[0] == 1 && by_member[1] == 1 && by_member[2] == 1);
}
HARNESS(fork_join_three, "a region of three members") = {.run = three, .random_runs = 8000};

/* The worker that the region of one does not need sleeps until the next one does. */
static void smaller(void)
{
	hand_no_spinning();
	execute(3);
	execute(2);
	execute(3);
	EXPECT(by_member[0] == 3 && by_member[1] == 3 && by_member[2] == 2);
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
	EXPECT(by_member[0] == 4 && by_member[1] == 3 && by_member[2] == 1);
}
HARNESS(fork_join_grown, "regions of one, two, three and two members") = {
    .run = larger, .random_runs = 6000};

/* Members divide the work of beginning in groups; a division may change while they wake others. */
static void divided(void)
{
	hand_no_spinning();
	rt_process.group_size = 2;
	rt_process.undivided_size = 2;
	execute(2);
	execute(3);
	execute(3);
	EXPECT(by_member[0] == 3 && by_member[1] == 3 && by_member[2] == 2);
}
HARNESS(fork_join_divided, "a region of two members, and two of three in groups") = {
    .run = divided, .random_runs = 6000};

static void regrouped(void)
{
	hand_no_spinning();
	rt_process.group_size = 2;
	rt_process.undivided_size = 2;
	execute(3);
	execute(4);
	EXPECT(by_member[0] == 2 && by_member[2] == 2 && by_member[3] == 1);
}
HARNESS(fork_join_regrouped, "regions of three and four members in other groups") = {
    .run = regrouped, .random_runs = 4000};

/* Of so many workers the first ones sleep while the others are started. */
static void five(void)
{
	hand_no_spinning();
	execute(5);
	for (int i = 0; i < 5; i++)
		EXPECT(by_member[i] == 1);
}
HARNESS(fork_join_five, "the first region of five members") = {.run = five, .random_runs = 4000};

static void execute_task(void *data)
{
	(void)data;
	executed++;
}

static void generate(void *argument)
{
	(void)argument;
	if (rt_self()->number == 0)
		GOMP_task(execute_task, NULL, NULL, 0, 1, true, 0, NULL, 0);
}

/* A worker may still look for tasks of the others while the team grows for the next region. */
static void thief(void)
{
	start_workers(2);
	GOMP_parallel(generate, NULL, 2, 0);
	EXPECT(executed == 1);
	execute(3);
	EXPECT(by_member[0] == 1 && by_member[1] == 1 && by_member[2] == 1);
}
HARNESS(fork_join_thief, "a team grows while a worker looks for tasks") = {
    .run = thief, .random_runs = 5000};

/* What members leave to be freed after the region. */
static void leave_garbage(void *argument)
{
	struct rt_garbage *own = malloc(sizeof(*own));
	struct rt_team *team = rt_self()->team;

	(void)argument;
	EXPECT(own != NULL);
	own->next = load_relaxed(&team->garbage);
	while (!cas_acq_rel(&team->garbage, &own->next, own))
		;
}

static void garbage(void)
{
	start_workers(2);
	GOMP_parallel(leave_garbage, NULL, 2, 0);
}
HARNESS(fork_join_garbage, "memory that is freed when a region has ended") = {
    .run = garbage, .preemptions = 1};

/* Two inner regions take threads from one limit, which allows one more at a time. */
static void count(void *argument)
{
	(void)argument;
	EXPECT(load_relaxed(&initial->busy) <= 2);
	__atomic_fetch_add(&by_member[0], 1, __ATOMIC_RELAXED);
}

static void inner(void *argument)
{
	(void)argument;
	GOMP_parallel(count, NULL, 2, 0);
}

static void nested(void)
{
	hand_no_spinning();
	initial = rt_self()->team;
	rt_icvs_write()->max_active_levels = 2;
	rt_icvs_write()->thread_limit = 3;
	GOMP_parallel(inner, NULL, 2, 0);
	EXPECT(by_member[0] == 3 || by_member[0] == 4);
}
HARNESS(fork_join_nested, "two members fork, one thread is left to them") = {
    .run = nested, .random_runs = 4000};
