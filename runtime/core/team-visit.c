/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that work on a task of a team that they are no member of. There are few, so one count
 * serves all teams.
 *
 * Who sees what: the thread that frees a team has seen all its tasks completed, the visitor's too,
 * and so all visits that began before that. It reads the count behind them in the order of its
 * changes, and finds 0 only where they have ended.
 *   visit         relaxed: the task's completion comes behind it
 *   unvisit       release, pairs with the acquire by the thread that frees a team: the visitor's
 *                 last access came before. Visits of other threads in between do not break that,
 *                 since each changes the count by what it was
 */
#include "team.h"

static _Atomic uint32_t visitors;

void rt_team_visit(void)
{
	add_relaxed(&visitors, 1);
}

void rt_team_unvisit(void)
{
	sub_release(&visitors, 1);
}

bool rt_team_has_visitors(void)
{
	return load_acquire(&visitors) != 0;
}
