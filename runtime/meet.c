/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where members meet: barriers in a region and the region's end. A member first executes tasks
 * until none descends from its own implicit task, and only then counts as arrived; so when all have
 * arrived no task of the region is left anywhere, without any counter that all tasks share. While it
 * waits for the others it executes their tasks.
 */
#include "process.h"
#include "team.h"
#include "tsan.h"

/* A member's view of the barrier that it waits at. */
struct meeting {
	struct rt_team *team;
	struct rt_barrier *barrier;
	uint32_t generation;
};

static bool is_open(const void *subject)
{
	const struct meeting *meeting = subject;
	return load_sequential(&meeting->barrier->generation) != meeting->generation;
}

static bool is_open_or_cancelled(const void *subject)
{
	const struct meeting *meeting = subject;
	return is_open(subject) || load_sequential(&meeting->team->cancelled) != 0;
}

bool rt_team_barrier(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	struct meeting meeting = {team, &team->barrier, 0};

	if (!rt_task_children_released(&self->member->implicit))
		rt_task_drain(self, NULL);
	if (likely(team->size == 1))
		return load_relaxed(&team->cancelled) != 0;
	if (unlikely(load_acquire(&team->cancelled) != 0))
		return true;
	rt_tsan_release(meeting.barrier);
	meeting.generation = load_relaxed(&meeting.barrier->generation);
	if (rt_barrier_arrive(meeting.barrier, self->number)) {
		rt_barrier_open(meeting.barrier);
		rt_event_notify(&team->event);
	} else {
		rt_task_help_until(self, is_open_or_cancelled, &meeting, NULL);
	}
	rt_tsan_acquire(meeting.barrier);
	return !is_open(&meeting);
}

void rt_team_join(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	struct rt_member *member = self->member;
	struct meeting meeting = {team, &team->join, load_relaxed(&team->join.generation)};

	if (!rt_task_children_released(&member->implicit))
		rt_task_drain(self, NULL);
	while (unlikely(member->implicit.group != NULL))
		rt_taskgroup_end(self); /* of a reduction, or left open by a cancelled construct */
	rt_task_finish(&member->implicit);
	if (team->size == 1)
		return;
	rt_tsan_release(meeting.barrier);
	if (rt_barrier_arrive(meeting.barrier, member->number)) {
		rt_barrier_open(meeting.barrier);
		rt_event_notify(&team->event);
	} else if (member->number == 0) {
		rt_task_help_until(self, is_open, &meeting, NULL);
	}
	if (member->number == 0)
		rt_tsan_acquire(meeting.barrier);
}
