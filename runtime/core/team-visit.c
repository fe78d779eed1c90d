/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that work on a task of a team that they are no member of. There are few, so one count
 * serves all teams.
 */
#include "team.h"

static _Atomic uint32_t visitors;

void rt_team_visit(void)
{
	add_sequential(&visitors, 1);
}

/*
 * Release, pairs with the load by the thread that frees a team: the visitor's last access came
 * before.
 */
void rt_team_unvisit(void)
{
	sub_acq_rel(&visitors, 1);
}

bool rt_team_has_visitors(void)
{
	return load_sequential(&visitors) != 0;
}
