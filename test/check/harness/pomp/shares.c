/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members' shares of work-sharing constructs: a member that compares an execution takes only
 * values that belong to it, even if another member is so far ahead that it overwrites them. Bounds:
 * two members without events, which the harness moves between threads; one comparison.
 */
#include "check.h"
#include "library.h"

/* Which region an execution was of, and what its body took, say which execution it was. */
enum { REGION = 1, BODY = 1000 };

static struct pomp_thread *slow, *fast;
static struct pomp_team *team;

static void execute(struct pomp_thread *thread, uint64_t times)
{
	for (uint64_t i = 0; i < times; i++)
		pomp_team_executed(thread, REGION, BODY + thread->member->executed);
}

/* Makes a member, as if on a thread of its own. */
static struct pomp_thread *enter(uint32_t number)
{
	const struct pomp_numbers numbers = {number, 2};

	pomp_self = NULL;
	struct pomp_thread *thread = pomp_thread_attach();
	if (team == NULL)
		team = pomp_team_new(thread, 0);
	EXPECT(pomp_team_enter(team, thread, pomp_thread_accumulator(thread, REGION), 0, &numbers));
	return thread;
}

static void go_ahead(void *argument)
{
	pomp_self = fast;
	execute(fast, *(const uint64_t *)argument);
}

/*
 * The slow member compares when it has executed half as many as there are places, of each second
 * one its turn. The bodies of both are the same in one execution.
 */
static void compare_with(uint64_t before, uint64_t meanwhile)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	slow = enter(0);
	fast = enter(1);
	execute(slow, POMP_EXECUTIONS / 2 - 1);
	execute(fast, before);
	check_start(go_ahead, &meanwhile);
	pomp_self = slow;
	execute(slow, 1);
	EXPECT(slow->member->compared <= POMP_EXECUTIONS / 2);
	EXPECT(load_relaxed(&slow->first[REGION].imbalance) == 0);
	check_join();
}

static void published(void)
{
	compare_with(0, 1);
}
HARNESS(pomp_shares_published, "an execution is compared while its share is published") = {
    .run = published};

static void overwritten(void)
{
	compare_with(POMP_EXECUTIONS, 1);
}
HARNESS(pomp_shares_overwritten, "an execution is compared while its share is written over") = {
    .run = overwritten};

static void go_in(void *unused)
{
	(void)unused;
	fast = enter(1);
	execute(fast, 1);
}

/* A member enters while another one already compares. */
static void entered(void)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	slow = enter(0);
	execute(slow, POMP_EXECUTIONS / 2 - 1);
	check_start(go_in, NULL);
	pomp_self = slow;
	execute(slow, 1);
	EXPECT(load_relaxed(&slow->first[REGION].imbalance) == 0);
	check_join();
}
HARNESS(pomp_shares_entered, "an execution is compared while a member enters") = {.run = entered};
