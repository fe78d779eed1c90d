/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the events of parallel regions do on the master's stack, whatever reports the region: a FORK
 * frame is there from fork to join.
 */
#include "fork-join.h"

#include "frame-close.h"
#include "measured-team.h"
#include "scale.h"
#include "shared/precondition.h"
#include "thread-log.h"
#include "thread-stack.h"

struct pomp_team *pomp_event_fork(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t id, uint64_t now)
{
	struct pomp_team *team = pomp_team_new(thread, now);

	if (team == NULL)
		return NULL;
	if (unlikely(load_relaxed(&thread->unusual) & POMP_UNUSUAL_SCALED))
		team->scale = pomp_scale_factor(thread);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_FORK, now);
	if (frame == NULL) {
		pomp_team_free(team);
		return NULL;
	}
	frame->parallel.team = team;
	thread->fork_depth++;
	if (!team->silent)
		pomp_event_log(thread, TRACE_LOG_FORK, 1, id, now, load_relaxed(&team->number), 0);
	return team;
}

struct pomp_frame *pomp_frame_of_team(
    const struct pomp_thread *thread, const struct pomp_team *team)
{
	struct pomp_frame *frame = thread->top;

	while (frame > thread->stack &&
	       (frame->role != POMP_ROLE_FORK || frame->parallel.team != team))
		frame--;
	return frame;
}

struct pomp_frame *pomp_frame_below_team(
    const struct pomp_thread *thread, const struct pomp_team *team)
{
	return team->master == thread ? pomp_frame_of_team(thread, team) : thread->stack;
}

void pomp_event_join(struct pomp_thread *thread, uint64_t id, uint64_t now)
{
	CHECK(thread->top->role == POMP_ROLE_FORK, "a FORK frame is on top of the stack");

	struct pomp_frame *frame = thread->top;
	struct pomp_team *team = frame->parallel.team;

	if (!frame->silent) {
		pomp_origin_count(thread->origins, team->origin, now - frame->enter);
		/*
		 * If a worker of another team forks a team, none of its parallel regions is
		 * outermost.
		 */
		bool outer = thread->fork_depth == 1 && thread->team == NULL;
		if (thread->profiling)
			pomp_team_settle(team, thread, frame->accumulator, now, outer);
		pomp_event_log(thread, TRACE_LOG_JOIN, 1, id, now, load_relaxed(&team->number), 0);
	}
	pomp_frame_close(thread, frame, now);
}
