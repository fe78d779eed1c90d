/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that work on a task of a team of which they are not members. There are few, so one count
 * serves all teams.
 *
 * Who sees what: the thread that frees a team has seen all its tasks completed, including the
 * visitors' tasks, and so all visits that began before those completions. It reads the count after
 * that, in the order of the count's changes, and finds 0 only if the visits have ended.
 *   visit     relaxed: the completion of the task comes after it
 *   unvisit   release, pairs with the acquire by the thread that frees a team: the visitor's last
 *             access came before. Visits of other threads in between do not break this, since each
 *             is a read-modify-write of the count
 */
#include "team.h"

#include "shared/precondition.h"

static _Atomic uint32_t visitors;

void rt_team_visit(void)
{
	add_relaxed(&visitors, 1);
}

void rt_team_unvisit(void)
{
	uint32_t before = sub_release(&visitors, 1);

	CHECK(before > 0, "the thread visits a team");
}

bool rt_team_has_visitors(void)
{
	return load_acquire(&visitors) != 0;
}
