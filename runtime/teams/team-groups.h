/* SPDX-License-Identifier: BSD-3-Clause */
/* Which teams are divided into groups, and how. */
#ifndef RT_TEAM_GROUPS_H
#define RT_TEAM_GROUPS_H
#include "process.h"
#include "team.h"

/*
 * Chooses the division for the region that the team's fields describe, before the region is
 * published. A new division begins with the current values of the team's words. True: the division
 * has changed.
 */
bool rt_team_divide(struct rt_team *team);

/* May the team be divided, or was it? If not, rt_team_divide() has nothing to do. */
static inline bool rt_team_may_be_divided(const struct rt_team *team)
{
	return team->size > rt_process.undivided_size || load_relaxed(&team->groups) != NULL;
}

#endif
