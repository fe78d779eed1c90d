/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel and cancellation point. Cancellation of a region sets a flag of the team, which ends all
 * waits of its members; that of a loop or sections, a flag of the construct's slot; that of a
 * taskgroup, a flag of the group.
 */
#include "cancel.h"

#include "abi.h"
#include "events.h"
#include "loops.h"
#include "race.h"
#include "tasks.h"
#include "team.h"
#include "watch.h"

bool rt_is_cancelled(struct rt_thread *self, int kind)
{
	struct rt_workshare *share = self->member->loop.share;

	if (load_acquire(&self->team->cancelled) != 0)
		return true;
	if (kind & (RT_CANCEL_LOOP | RT_CANCEL_SECTIONS))
		return share != NULL && load_acquire(&share->cancelled) != 0;
	return (kind & RT_CANCEL_TASKGROUP) && rt_taskgroup_is_cancelled(self->task->group);
}

/* Shows a tool the construct and what happened to it (OpenMP 5.2, 19.4.4.25). */
static RT_COLD void emit_cancel(
    struct rt_thread *self, int kind, ompt_cancel_flag_t event, const void *caller)
{
	int construct = kind & RT_CANCEL_PARALLEL    ? ompt_cancel_parallel
			: kind & RT_CANCEL_SECTIONS  ? ompt_cancel_sections
			: kind & RT_CANCEL_TASKGROUP ? ompt_cancel_taskgroup
						     : ompt_cancel_loop;

	if ((kind & RT_CANCEL_TASKGROUP) && !(self->task->flags & RT_TASK_IMPLICIT))
		self->task->tool.cancelled = true;
	rt_emit_cancel(
	    &self->task->tool.data, construct | (int)event, rt_tool_users_address(caller));
}

void rt_cancel_detected(const void *caller)
{
	if (rt_watched(RT_BY_TOOL))
		emit_cancel(rt_self(), RT_CANCEL_PARALLEL, ompt_cancel_detected, caller);
}

bool rt_cancellation_point(struct rt_thread *self, int kind, const void *caller)
{
	bool cancelled = rt_is_cancelled(self, kind);

	if (cancelled && rt_watched(RT_BY_TOOL))
		emit_cancel(self, kind, ompt_cancel_detected, caller);
	return cancelled;
}

/* Ends all waits at a barrier, for a turn or for a work-share. */
static void cancel_team(struct rt_team *team)
{
	store_sequential(&team->cancelled, 1);
	rt_team_notify(team);
	rt_workshare_wake_all(team);
}

void rt_cancel(struct rt_thread *self, int kind, const void *caller)
{
	struct rt_taskgroup *group;

	if (rt_watched(RT_BY_TOOL))
		emit_cancel(self, kind, ompt_cancel_activated, caller);
	rt_race_share(self); /* lets other threads begin what is to be cancelled */
	if (kind & RT_CANCEL_PARALLEL) {
		cancel_team(self->team);
	} else if (kind & RT_CANCEL_TASKGROUP) {
		group = rt_taskgroup_of_user(self->task->group);
		if (group != NULL)
			store_release(&group->cancelled, 1);
	} else if (self->member->loop.share != NULL) {
		store_release(&self->member->loop.share->cancelled, 1);
	}
}

ENTRY(bool, GOMP_cancellation_point, int kind)
{
	return rt_watched(RT_BY_CANCELLATION) && rt_cancellation_point(rt_self(), kind, CALLER);
}

/* With a false condition the construct is a cancellation point. */
ENTRY(bool, GOMP_cancel, int kind, bool condition)
{
	struct rt_thread *self;

	if (!rt_watched(RT_BY_CANCELLATION))
		return false;
	self = rt_self();
	if (!condition)
		return rt_cancellation_point(self, kind, CALLER);
	rt_cancel(self, kind, CALLER);
	return true;
}
