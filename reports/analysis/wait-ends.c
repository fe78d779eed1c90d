/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread ended each wait, for the critical path: the last thread to arrive at a barrier (or
 * to complete a task in it), the last holder of a lock, critical or ordered, the creator of the
 * task that a waiting thread got, the last thread to complete a task before a taskwait ended, the
 * thread that forked a team, and, for a team without barrier, the last thread to end. Does nothing
 * unless a path is requested.
 */
#include "memory.h"
#include "pass.h"

static struct team *team_of(struct analysis *analysis, uint32_t thread)
{
	const struct thread *state = &analysis->threads[thread];

	return state->stay_count ? state->stays[state->stay_count - 1].team : NULL;
}

/*
 * The n-th barrier of a region in a team has one cause of its end: the last arrival. Events of
 * equal time come in the order of the threads, so a thread may leave before the last one arrives.
 * The first arrival therefore creates the cause, and the last arrival is entered into it.
 */
static uint32_t find_barrier_cause(
    struct path *path, struct team *team, uint32_t thread, uint32_t region)
{
	struct map_key by_thread = {region, thread}, key = {region, 0};
	uint64_t *ordinal = memory_pair_map_place(&team->arrivals, by_thread, 0);
	uint64_t found;
	uint32_t cause;

	key.second = (*ordinal)++;
	found = pair_map_find(&team->barrier_causes, key);
	cause = found == MAP_NONE ? path_new_cause(path, thread, 0, PATH_NONE) : (uint32_t)found;
	if (!path_cause(path, cause))
		return PATH_NONE;
	if (++path_cause(path, cause)->arrived == team->size)
		pair_map_erase(&team->barrier_causes, key);
	else if (found == MAP_NONE)
		memory_pair_map_set(&team->barrier_causes, key, cause);
	return cause;
}

static void set_cause(struct path *path, uint32_t cause, uint32_t thread, uint64_t now)
{
	struct path_cause *known = path_cause(path, cause);

	if (known && now >= known->at) {
		known->at = now;
		known->thread = thread;
	}
}

void analysis_path_arrive(
    struct analysis *analysis, uint32_t thread, struct frame *frame, uint64_t now)
{
	struct team *team = team_of(analysis, thread);

	frame->barrier_cause = PATH_NONE;
	if (!analysis->path || !team)
		return;
	frame->barrier_cause = find_barrier_cause(analysis->path, team, thread, frame->region);
	set_cause(analysis->path, frame->barrier_cause, thread, now);
	team->barrier_cause = frame->barrier_cause;
	if (frame->part.construct == team->construct)
		team->ends_in_barrier = true;
}

void analysis_path_leave(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, uint64_t now)
{
	struct team *team = team_of(analysis, thread);
	struct path *path = analysis->path;

	if (!path)
		return;
	if (frame->wait == ACTIVITY_BARRIER) {
		path_end_wait(path, thread, ACTIVITY_BARRIER, now, frame->barrier_cause);
		if (team && team->barrier_cause == frame->barrier_cause)
			team->barrier_cause = PATH_NONE;
	} else if (frame->wait == ACTIVITY_TASK_WAIT && team && team->completed_at > 0) {
		path_end_wait(path, thread, ACTIVITY_TASK_WAIT, now,
		    path_new_cause(path, team->completer, team->completed_at, PATH_NONE));
	}
}

bool analysis_path_leave_mpi(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	return analysis->path &&
	       path_end_wait(analysis->path, thread, ACTIVITY_MPI, now, PATH_REMOTE);
}

void analysis_path_acquire(
    struct analysis *analysis, uint32_t thread, const struct lock *lock, uint64_t now)
{
	if (analysis->path && lock->released_since > 0)
		path_end_wait(analysis->path, thread, ACTIVITY_LOCK, now,
		    path_new_cause(analysis->path, lock->holder, lock->released_at, PATH_NONE));
}

/* For bodies that have no lock events, such as that of an ordered. */
void analysis_path_enter_body(
    struct analysis *analysis, uint32_t thread, const struct frame *outer, uint64_t now)
{
	const struct construct *construct;

	if (!analysis->path || outer->enter_wait != ENTER_WAIT_OPEN)
		return;
	construct = &analysis->constructs[outer->part.construct];
	if (construct->left_at > 0 && analysis_process_of(analysis->archive, construct->leaver) ==
					  analysis_process_of(analysis->archive, thread))
		path_end_wait(analysis->path, thread, ACTIVITY_LOCK, now,
		    path_new_cause(
			analysis->path, construct->leaver, construct->left_at, PATH_NONE));
}

void analysis_path_leave_body(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, uint64_t now)
{
	if (!analysis->path || frame->part.construct == NO_CONSTRUCT)
		return;
	analysis->constructs[frame->part.construct].left_at = now;
	analysis->constructs[frame->part.construct].leaver = thread;
}

/*
 * A team's threads may begin before the thread that forked it; which thread that is becomes known
 * only then.
 */
void analysis_path_begin(struct analysis *analysis, uint32_t thread, struct team *team,
    const struct fork *fork, uint64_t now)
{
	struct path *path = analysis->path;

	if (!path)
		return;
	if (team->begun == 1)
		team->fork_cause = path_new_cause(path, PATH_NONE, 0, PATH_NONE);
	if (fork && fork->team == team)
		set_cause(path, team->fork_cause, thread, fork->at);
	path_end_wait(path, thread, ACTIVITY_NONE, now, team->fork_cause);
}

void analysis_path_name_team(struct analysis *analysis, const struct team *team)
{
	struct path_cause *fork_cause =
	    analysis->path ? path_cause(analysis->path, team->fork_cause) : NULL;

	if (fork_cause)
		fork_cause->construct = team->construct;
}

/* A parallel region ends with its barrier, or with the join if the trace has no barrier. */
void analysis_path_join(
    struct analysis *analysis, uint32_t thread, const struct team *team, uint64_t now)
{
	uint32_t last = PATH_NONE;
	uint64_t at = 0;

	if (!analysis->path)
		return;
	for (uint32_t i = 0; i < team->begun; i++) {
		const struct member *member = &team->members[i];

		if ((member->thread == thread || !team->ends_in_barrier) &&
		    member->ended_at >= at) {
			at = member->ended_at;
			last = member->thread;
		}
	}
	path_end_wait(analysis->path, thread, ACTIVITY_NONE, now,
	    path_new_cause(analysis->path, last, at, team->construct));
}

static struct map_key key_of(const struct archive_event *event)
{
	return (struct map_key){event->subject, (uint64_t)event->creator << 32 | event->generation};
}

/* Since when a thread could have executed the task: since its creation or its last suspension. */
static uint32_t find_ready(struct analysis *analysis, struct map_key key)
{
	uint64_t created = pair_map_find(&analysis->created, key);
	uint64_t found = pair_map_find(&analysis->tasks, key);
	const struct task *task = found == MAP_NONE ? NULL : (struct task *)(uintptr_t)found;

	if (created != MAP_NONE) {
		pair_map_erase(&analysis->created, key);
		return (uint32_t)created;
	}
	return task && task->suspended_at > 0
		   ? path_new_cause(analysis->path, task->suspender, task->suspended_at, PATH_NONE)
		   : PATH_NONE;
}

static void switch_task(struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct thread *state = &analysis->threads[event->location];
	uint32_t ready = find_ready(analysis, key_of(event));

	if (state->activity == ACTIVITY_BARRIER || state->activity == ACTIVITY_TASK_WAIT)
		path_end_wait(analysis->path, event->location, state->activity, now, ready);
	if (state->current->explicit_task) {
		state->current->suspender = event->location;
		state->current->suspended_at = now;
	}
}

void analysis_path_task(struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct team *team = team_of(analysis, event->location);
	struct path *path = analysis->path;
	uint64_t created;

	if (!path)
		return;
	switch (event->kind) {
	case EVENT_TASK_CREATE:
		created = path_new_cause(path, event->location, now, PATH_NONE);
		if (created != PATH_NONE)
			memory_pair_map_set(&analysis->created, key_of(event), created);
		break;
	case EVENT_TASK_SWITCH:
		switch_task(analysis, event, now);
		break;
	case EVENT_TASK_COMPLETE:
		if (!team)
			break;
		team->completer = event->location;
		team->completed_at = now;
		set_cause(path, team->barrier_cause, event->location, now);
		break;
	default:
		break;
	}
}
