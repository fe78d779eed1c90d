/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain of tasks, each of which generates the next and ends. Ended tasks are removed from the
 * line of ancestors and their memory is used again, while another thread asks by that line whether
 * it may execute the last task.
 */
#include "check.h"
#include "process.h"
#include "task-pair.h"

static _Atomic uint32_t ran;

static void last(void *argument)
{
	(void)argument;
	add_relaxed(&ran, 1);
}

static void third(void *argument)
{
	(void)argument;
	pair_generate(rt_current, last, NULL, NULL);
	add_relaxed(&ran, 1);
}

static void second(void *argument)
{
	(void)argument;
	pair_generate(rt_current, third, NULL, NULL);
	add_relaxed(&ran, 1);
}

static void first(void *argument)
{
	(void)argument;
	pair_generate(rt_current, second, NULL, NULL);
	add_relaxed(&ran, 1);
}

static void run_one(void *argument)
{
	(void)argument;
	rt_task_run_one(pair_enter(), NULL);
}

/* Both members execute what there is; the end waits for all. */
static void chain(void)
{
	struct rt_thread *self = pair_begin();

	pair_use_up_blocks(self);
	pair_generate(self, first, NULL, NULL);
	check_start(run_one, NULL);
	rt_task_drain(self, NULL);
	check_join();
	EXPECT(load_relaxed(&ran) == 4);
}
HARNESS(task_chain, "two members execute a chain of tasks") = {.run = chain, .preemptions = 1};

/* The other member may execute descendants of the first member's implicit task only. */
static void run_descendant(void *argument)
{
	(void)argument;
	rt_task_run_one(pair_enter(), &rt_team_member(&pair_team, 0)->implicit);
}

static void chain_asked(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, NULL);
	check_start(run_descendant, NULL);
	rt_task_drain(self, NULL);
	check_join();
	EXPECT(load_relaxed(&ran) == 4);
}
HARNESS(task_chain_asked, "a member asks whose descendant the last of a chain is") = {
    .run = chain_asked, .preemptions = 1};
