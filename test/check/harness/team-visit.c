/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that works on a task of a team of which it is no member (omp_fulfill_event): the team is
 * freed only after the thread has left it, and the words that say so order what both do.
 * One visitor and two, in every order.
 */
#include <sched.h>
#include <stdlib.h>

#include "check.h"
#include "process.h"
#include "team.h"

static struct rt_task parent;
static struct rt_team *team;

/* The task's completion, as its parent sees it; afterwards the team is looked at once more. */
static void complete(void *argument)
{
	(void)argument;
	rt_team_visit();
	team->task_depth++;
	add_sequential(&parent.joins, RT_JOIN_COMPLETED + RT_JOIN_RELEASED);
	rt_team_notify(team);
	rt_team_unvisit();
}

static void free_team(void)
{
	while (!rt_task_children_released(&parent))
		sched_yield();
	while (rt_team_has_visitors())
		sched_yield();
	free(team);
}

static void one_visitor(void)
{
	store_relaxed(&parent.created, 1);
	team = calloc(1, sizeof(*team));
	check_start(complete, NULL);
	free_team();
	check_join();
}
HARNESS(team_visitor, "a team is freed when a visitor has left") = {.run = one_visitor};

static void complete_first(void *argument)
{
	(void)argument;
	rt_team_visit();
	add_sequential(&parent.joins, RT_JOIN_COMPLETED + RT_JOIN_RELEASED);
	rt_team_notify(team);
	rt_team_unvisit();
}

static void two_visitors(void)
{
	store_relaxed(&parent.created, 2);
	team = calloc(1, sizeof(*team));
	check_start(complete_first, NULL);
	check_start(complete_first, NULL);
	free_team();
	check_join();
}
HARNESS(team_visitors, "a team is freed when two visitors have left") = {.run = two_visitors};

static _Atomic uint32_t is_gone;

/* One that has nothing to do with the team comes and goes meanwhile. */
static void visit_other(void *argument)
{
	(void)argument;
	rt_team_visit();
	add_relaxed(&is_gone, 1);
	rt_team_unvisit();
}

static void visitors_of_two(void)
{
	store_relaxed(&parent.created, 1);
	team = calloc(1, sizeof(*team));
	check_start(complete, NULL);
	check_start(visit_other, NULL);
	free_team();
	check_join();
	EXPECT(load_relaxed(&is_gone) == 1);
}
HARNESS(team_visitor_of_other, "a team is freed while another one has a visitor") = {
    .run = visitors_of_two};
