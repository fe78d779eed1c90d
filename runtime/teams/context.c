/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial teams for regions that run outside of the team that encounters them. */
#include "context.h"

#include "process.h"
#include "shared/precondition.h"
#include "tasks.h"
#include "team-events.h"
#include "team.h"
#include "teams.h"

/* From now on the calling thread is the only member of the initial team. */
static void enter(
    struct rt_thread *self, struct rt_context *outer, struct rt_team *team, uint32_t thread_limit)
{
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
}

/* Completes the tasks of the initial team and returns the thread to where it was. */
static void leave(struct rt_thread *self, const struct rt_context *outer)
{
	rt_task_drain(self, NULL);
	rt_task_finish(&self->member->implicit);
	self->team = outer->team;
	self->member = outer->member;
	self->task = outer->task;
	self->tied = outer->tied;
	self->number = outer->number;
	self->teams_number = outer->teams_number;
	self->teams_count = outer->teams_count;
}

/* Notes what a tool finds around the initial team, which the calling thread is about to enter. */
static void note_outer(struct rt_thread *self, struct rt_team *team)
{
	team->tool = (struct rt_team_tool){
	    .outer = self->team, .outer_task = self->task, .outer_number = self->number};
}

bool rt_context_enter(struct rt_thread *self, struct rt_context *outer, uint32_t thread_limit)
{
	CHECK(self == rt_current, "the calling thread enters");

	struct rt_team *team = rt_team_new_initial(self);

	if (!team)
		return false;
	if (rt_watched(RT_BY_TOOL))
		note_outer(self, team);
	enter(self, outer, team, thread_limit);
	if (rt_watched(RT_BY_TOOL))
		rt_tool_begin_initial_task(self, 1, 1);
	return true;
}

void rt_context_leave(struct rt_thread *self, const struct rt_context *outer)
{
	CHECK(self->team->parent == NULL, "the thread is in an initial team");

	struct rt_team *team = self->team;

	if (rt_watched(RT_BY_TOOL)) {
		rt_task_drain(self, NULL);
		rt_tool_end_initial_task(self, 1);
	}
	leave(self, outer);
	rt_team_keep_context(self, team);
}

/*
 * A tool sees each team as the initial task of a separate region, so each is one here; without a
 * tool the calling task stands for all of them.
 */
bool rt_league_with_tool(struct rt_thread *self, const struct rt_league *league)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_team *team = rt_team_new_initial(self);
	const struct rt_task_icvs icvs = *self->task->icvs;
	struct rt_context outer;

	if (team == NULL)
		return false;
	rt_tool_begin_region(self, team, league->code != NULL ? league->code : league->fn,
	    league->requested, (int)ompt_parallel_league | ompt_parallel_invoker_runtime);
	team->tool.outer = self->team;
	team->tool.outer_task = self->task;
	team->tool.outer_number = self->number;
	for (uint32_t i = 0; i < league->teams; i++) {
		rt_task_init_implicit(
		    &rt_team_member(team, 0)->implicit, team, NULL, 0, &rt_process.initial);
		enter(self, &outer, team, 0);
		*self->task->icvs = icvs;
		if (league->thread_limit != 0)
			self->task->icvs->thread_limit = league->thread_limit;
		self->teams_count = league->teams;
		self->teams_number = i;
		rt_tool_begin_initial_task(self, league->teams, i);
		rt_tool_call_region(self, league->fn, league->data);
		rt_task_drain(self, NULL);
		rt_tool_end_initial_task(self, i);
		leave(self, &outer);
	}
	rt_tool_end_region(self, team);
	rt_team_keep_context(self, team);
	return true;
}
