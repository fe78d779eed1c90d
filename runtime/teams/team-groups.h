/* SPDX-License-Identifier: BSD-3-Clause */
/* Which teams are divided into groups, and how. */
#ifndef RT_TEAM_GROUPS_H
#define RT_TEAM_GROUPS_H
#include "process.h"
#include "team.h"

/*
 * Chooses the division for the region that the team's fields describe, before it is published; a
 * new one begins with the team's words as they are. True: it is not that of the region before.
 */
bool rt_team_divide(struct rt_team *team);

/* May it be divided, or was it? If not, rt_team_divide() has nothing to do. */
static inline bool rt_team_may_be_divided(const struct rt_team *team)
{
	return team->size > rt_process.undivided_size || load_relaxed(&team->groups) != NULL;
}

#endif
