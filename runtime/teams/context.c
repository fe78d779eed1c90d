/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial teams for regions that run outside of the team that encounters them. */
#include "context.h"

#include "process.h"
#include "tasks.h"
#include "team.h"
#include "teams.h"

bool rt_context_enter(struct rt_thread *self, struct rt_context *outer, uint32_t thread_limit)
{
	struct rt_team *team = rt_team_new_initial(self);

	if (!team)
		return false;
	struct rt_member *member = rt_team_member(team, 0);
	member->own_icvs = rt_process.initial;
	if (thread_limit > 0)
		member->own_icvs.thread_limit = thread_limit;
	member->implicit.icvs = &member->own_icvs;
	member->implicit.icvs_shared = false;
	*outer = (struct rt_context){self->team, self->member, self->task, self->tied, self->number,
	    self->teams_number, self->teams_count};
	self->team = team;
	self->member = member;
	self->task = self->tied = &member->implicit;
	self->number = 0;
	self->teams_number = 0;
	self->teams_count = 1;
	return true;
}

void rt_context_leave(struct rt_thread *self, const struct rt_context *outer)
{
	struct rt_team *team = self->team;

	rt_task_drain(self, NULL);
	rt_task_finish(&self->member->implicit);
	self->team = outer->team;
	self->member = outer->member;
	self->task = outer->task;
	self->tied = outer->tied;
	self->number = outer->number;
	self->teams_number = outer->teams_number;
	self->teams_count = outer->teams_count;
	rt_team_keep_context(self, team);
}
