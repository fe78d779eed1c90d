/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waking sleeping members of a team, on the team's own event or on that of their group. Members
 * sleep where the division of their region puts them. Between regions some may still sleep
 * according to the previous division, so a thread that wakes all members wakes those of all
 * divisions.
 */
#include "team.h"

void rt_team_wake(struct rt_team *team)
{
	rt_event_wake(&team->event, INT32_MAX);
	rt_groups_wake(load_acquire(&team->divisions));
}

/* Wakes neighbours first: what the caller has queued is in its cache. */
void rt_team_wake_one(struct rt_team *team)
{
	struct rt_groups *groups = load_acquire(&team->groups);
	const struct rt_thread *self = rt_current;
	const struct rt_group *own =
	    self != NULL && self->team == team ? rt_group_of(groups, self->number) : NULL;

	add_sequential(&team->offered, 1);
	if (groups == NULL || !rt_groups_wake_one(groups, own != NULL ? own->number : 0))
		rt_event_wake(&team->event, 1);
}
