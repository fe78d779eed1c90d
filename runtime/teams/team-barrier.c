/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where members wait for each other: barriers in a region and the region's end. A member first
 * executes tasks until none descends from its own implicit task, and only then counts as arrived.
 * So when all have arrived, no task of the region is left anywhere, and tasks need no common
 * counter. While a member waits for the others, it executes their tasks.
 *
 * Two members arrive at a barrier by a word each, more members by the counters of struct
 * rt_barrier. The two words share a line: the last member to arrive gets the other's word together
 * with the line for its own, and passes without another transfer; one line each costs three times
 * as much. At the end of a region only the forking thread waits: in small teams each member notes
 * in its own word that it has arrived, and the forking thread reads these words one after the
 * other; large teams use counters.
 *
 *   pair_arrived, pair_joined, joined
 *               sequential store by the member, pairs with the acquire of the waiter, which sees
 *               all that the member wrote. Sequential because the member then looks for sleepers
 */
#include "process.h"
#include "race.h"
#include "shared/precondition.h"
#include "tasks.h"
#include "team-events.h"
#include "team.h"
#include "teams.h"
#include "tsan.h"
#include "wait-note.h"
#include "with-tool.h"
#include "work-events.h"

enum { FLAT_JOIN = 8 }; /* largest team in which one thread looks at each of the others */

static void wait_noted(struct rt_thread *self, enum rt_waiting_state state, const void *id,
    uint64_t until, rt_done_fn *done, const void *subject)
{
	struct rt_waiting outer;

	rt_waiting_begin(self, &outer, state, id, until, 0);
	rt_task_help_until(self, done, subject, NULL);
	rt_waiting_end(self, &outer);
}

/* A member's view of the barrier that it waits at. */
struct arrival {
	struct rt_team *team;
	struct rt_barrier *barrier;
	uint32_t generation;
};

static bool is_open(const void *subject)
{
	const struct arrival *arrival = subject;
	return load_sequential(&arrival->barrier->generation) != arrival->generation;
}

static bool is_open_or_cancelled(const void *subject)
{
	const struct arrival *arrival = subject;
	return is_open(subject) || load_sequential(&arrival->team->cancelled) != 0;
}

/*
 * In a team of two: has the other member arrived as often as this one, or is the region cancelled?
 */
static bool other_has_arrived(const void *subject)
{
	const struct rt_member *member = subject;
	const struct rt_team *team = member->team;

	return load_sequential(&team->pair_arrived[1 - member->number]) >=
		   load_relaxed(&team->pair_arrived[member->number]) ||
	       load_sequential(&team->cancelled) != 0;
}

/* Counts are 64 bits wide, so they are compared as numbers. */
static void arrive_as_pair(struct rt_thread *self)
{
	struct rt_member *member = self->member;
	_Atomic uint64_t *arrived = &self->team->pair_arrived[member->number];

	store_sequential(arrived, load_relaxed(arrived) + 1);
	rt_team_notify(self->team);
	if (!other_has_arrived(member))
		wait_noted(self, RT_WAITING_BARRIER, &self->team->barrier, load_relaxed(arrived),
		    other_has_arrived, member);
}

void rt_team_level_pair(struct rt_team *team)
{
	uint64_t first = load_relaxed(&team->pair_arrived[0]);
	uint64_t second = load_relaxed(&team->pair_arrived[1]),
		 most = first > second ? first : second;

	store_relaxed(&team->pair_arrived[0], most);
	store_relaxed(&team->pair_arrived[1], most);
}

static void arrive_by_counters(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	struct arrival arrival = {team, &team->barrier, 0};

	arrival.generation = load_relaxed(&arrival.barrier->generation);
	if (rt_barrier_arrive(arrival.barrier, self->number)) {
		rt_barrier_open(arrival.barrier);
		rt_team_notify(team);
	} else {
		wait_noted(self, RT_WAITING_BARRIER, arrival.barrier, arrival.generation,
		    is_open_or_cancelled, &arrival);
	}
}

/* A member's view of a barrier of a divided team. */
struct group_arrival {
	struct rt_team *team;
	struct rt_member *member;
	struct rt_group *group;
	uint32_t target; /* the generation that the barrier opens with */
};

static bool is_open_for_team(const struct group_arrival *arrival)
{
	return load_sequential(&arrival->team->barrier.generation) == arrival->target;
}

/*
 * Acquire, not sequential: a member that is about to sleep looks at the team's word, too, which was
 * set sequentially before the word of any group.
 */
static bool is_open_for_group(const struct group_arrival *arrival)
{
	return load_acquire(&arrival->group->generation) == arrival->target;
}

static bool is_passed_on_or_cancelled(const void *subject)
{
	const struct group_arrival *arrival = subject;

	return is_open_for_group(arrival) || load_sequential(&arrival->team->cancelled) != 0 ||
	       (rt_member_looks_at_team(arrival->member) && is_open_for_team(arrival));
}

/*
 * The group's word has the value that the team's had when the member came: each member that passes
 * a barrier leaves it so, and a new division begins so. A member that leaves because the region is
 * cancelled has nothing to pass on.
 */
static void arrive_in_group(struct rt_thread *self, struct rt_groups *groups)
{
	struct rt_team *team = self->team;
	const struct rt_group_member *own = &groups->members[self->number];
	struct group_arrival arrival = {
	    team, self->member, own->group, load_relaxed(&own->group->generation) + 1};
	void *carried;

	if (rt_group_arrive(&own->group->leaves[RT_GROUP_BARRIER])) {
		rt_barrier_open(&team->barrier);
		carried = load_relaxed(&team->copyprivate);
		rt_groups_open(groups, arrival.target, carried);
	} else {
		wait_noted(self, RT_WAITING_BARRIER, &team->barrier, arrival.target - 1,
		    is_passed_on_or_cancelled, &arrival);
		if (is_open_for_group(&arrival))
			carried = load_relaxed(&own->group->carried);
		else if (is_open_for_team(&arrival))
			carried = load_relaxed(&team->copyprivate);
		else
			return;
	}
	rt_group_wake_rest(own->group);
	if (own->next != NULL)
		rt_group_open(own->next, arrival.target, carried);
	rt_group_note_open(own->group, arrival.target, carried);
}

/*
 * Waits until no task of this member is left. The member then sees what they all wrote, including
 * those that others executed.
 */
static void finish_tasks(struct rt_thread *self)
{
	if (!rt_task_children_released(&self->member->implicit))
		rt_task_drain(self, NULL);
	else
		rt_task_acquire_descendants(&self->member->implicit);
}

/*
 * The address that stands for this barrier in ThreadSanitizer: successive barriers alternate
 * between two. With one address, a member that is early at the next barrier would seem to publish
 * its writes to a member that only now leaves this one, and races between the two would not be
 * found. No member can be two barriers ahead.
 */
static void *tsan_place(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	const struct rt_groups *groups = load_relaxed(&team->groups);
	uint64_t turn = team->size == 2 ? load_relaxed(&team->pair_arrived[self->number])
			: groups != NULL
			    ? load_relaxed(&groups->members[self->number].group->generation)
			    : load_relaxed(&team->barrier.generation);

	return (char *)&team->barrier + (turn & 1);
}

/* `cancelled` is read twice: first to decide whether to wait, then with acquire, for the result. */
bool rt_team_barrier(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling member arrives");

	struct rt_team *team = self->team;

	finish_tasks(self);
	if (team->size > 1 && likely(load_relaxed(&team->cancelled) == 0)) {
		struct rt_groups *groups = load_relaxed(&team->groups);
		void *arrival = tsan_place(self);

		rt_tsan_release(arrival);
		if (team->size == 2)
			arrive_as_pair(self);
		else if (unlikely(groups != NULL))
			arrive_in_group(self, groups);
		else
			arrive_by_counters(self);
		rt_tsan_acquire(arrival);
		if (rt_watched(RT_BY_RACE))
			rt_race_pass_barrier();
	}
	return load_acquire(&team->cancelled) != 0;
}

/*
 * The barrier ended a work-sharing construct with a reduction in which tasks took part: member 0
 * combines the copies until GOMP_workshare_task_reduction_unregister(). A barrier within a scope
 * construct looks the same, so only the first one counts. A group of the region's own reduction
 * stays open for the whole region.
 */
static bool combines_now(const struct rt_thread *self)
{
	struct rt_taskgroup *group = self->task->group;
	const struct rt_team *team = self->team;

	if (self->number != 0 || group == NULL || !group->is_workshare || group->is_combined ||
	    (team->has_reductions && group->reductions == team->reductions))
		return false;
	return group->is_combined = true;
}

bool rt_team_barrier_with_tool(struct rt_thread *self, ompt_sync_region_t kind)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_task *task = self->task;
	struct rt_barrier_events events;
	bool cancelled;

	rt_work_close(self);
	rt_task_set_enter_frame(task, self->tool.frame);
	events = rt_tool_begin_barrier(self, kind, self->tool.codeptr);
	cancelled = rt_team_barrier(self);
	rt_tool_end_barrier(self, &events);
	if (combines_now(self))
		rt_reduction_combine_begin_with_tool(self, events.codeptr);
	rt_task_set_enter_frame(task, NULL);
	return cancelled;
}

/*
 * The members that have joined are counted in order, so each one is read only until it has joined.
 */
struct progress {
	struct rt_team *team;
	uint64_t region;
	uint32_t joined;
};

static bool all_have_joined(const void *subject)
{
	struct progress *progress = (struct progress *)(uintptr_t)subject;
	struct rt_team *team = progress->team;

	while (progress->joined < team->size &&
	       load_sequential(&rt_team_member(team, progress->joined)->joined) == progress->region)
		progress->joined++;
	return progress->joined == team->size;
}

static bool other_has_joined(const void *subject)
{
	const struct rt_team *team = subject;
	return load_sequential(&team->pair_joined) == load_relaxed(&team->region);
}

static void join_as_pair(struct rt_thread *self)
{
	struct rt_team *team = self->team;

	if (self->number != 0) {
		store_sequential(&team->pair_joined, load_relaxed(&team->region));
		rt_team_notify(team);
	} else if (!other_has_joined(team)) {
		wait_noted(self, RT_WAITING_REGION_END, &team->region, load_relaxed(&team->region),
		    other_has_joined, team);
	}
}

static void join_flat(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	uint64_t region = load_relaxed(&team->region);
	struct progress progress = {team, region, 1};

	if (self->number != 0) {
		store_sequential(&self->member->joined, region);
		rt_team_notify(team);
	} else if (!all_have_joined(&progress)) {
		wait_noted(
		    self, RT_WAITING_REGION_END, &team->region, region, all_have_joined, &progress);
	}
}

static void join_by_counters(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	struct arrival arrival = {team, &team->join, load_relaxed(&team->join.generation)};

	if (rt_barrier_arrive(arrival.barrier, self->number)) {
		rt_barrier_open(arrival.barrier);
		rt_team_notify(team);
	} else if (self->number == 0) {
		wait_noted(self, RT_WAITING_REGION_END, arrival.barrier, arrival.generation,
		    is_open, &arrival);
	}
}

/* Only the forking thread, number 0, may wait, so it alone is woken. */
static void join_in_group(struct rt_thread *self, struct rt_groups *groups)
{
	struct rt_team *team = self->team;
	struct arrival arrival = {team, &team->join, 0};

	if (self->number == 0)
		arrival.generation = load_relaxed(&team->join.generation);
	if (rt_group_arrive(rt_group_leaf(groups, self->number, RT_GROUP_JOIN))) {
		rt_barrier_open(&team->join);
		rt_event_notify(&groups->members[0].group->event);
	} else if (self->number == 0) {
		wait_noted(self, RT_WAITING_REGION_END, arrival.barrier, arrival.generation,
		    is_open, &arrival);
	}
}

/* Finishes the member's tasks and frees what it collected for them. */
static void finish_region(struct rt_thread *self)
{
	struct rt_task *implicit = &self->member->implicit;

	finish_tasks(self);
	while (unlikely(implicit->group != NULL))
		rt_taskgroup_end(self); /* of a reduction, or left open by a cancelled construct */
	rt_task_finish(implicit);
}

/* Each member waits for all others, even in a cancelled region. */
static void meet_all(struct rt_thread *self)
{
	struct rt_team *team = self->team;
	struct arrival arrival = {team, &team->join, load_relaxed(&team->join.generation)};

	rt_tsan_release(&team->join);
	if (rt_barrier_arrive(arrival.barrier, self->number)) {
		rt_barrier_open(arrival.barrier);
		rt_team_notify(team);
	} else {
		wait_noted(self, RT_WAITING_REGION_END, arrival.barrier, arrival.generation,
		    is_open, &arrival);
	}
	rt_tsan_acquire(&team->join);
}

/*
 * With a tool, whose events show how long each member waits for the others, all members wait. The
 * forking thread then also waits until the others have emitted their events, so that it ends the
 * region after them. `joined` is the word for that in teams of any size.
 */
void rt_team_join_with_tool(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_team *team = self->team;
	struct rt_barrier_events events;

	rt_work_close_all(self);
	events = rt_tool_begin_barrier(
	    self, ompt_sync_region_barrier_implicit_parallel, team->tool.codeptr);
	finish_region(self);
	if (team->size > 1)
		meet_all(self);
	rt_tool_end_barrier(self, &events);
	rt_tool_end_implicit_task(self);
	if (team->size == 1)
		return;
	if (self->number != 0)
		rt_tsan_release(&team->join);
	join_flat(self);
	if (self->number == 0)
		rt_tsan_acquire(&team->join);
}

void rt_team_join(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling member arrives");

	struct rt_team *team = self->team;
	struct rt_groups *groups;

	finish_region(self);
	if (team->size == 1)
		return;
	if (self->number != 0)
		rt_tsan_release(&team->join);
	groups = load_relaxed(&team->groups);
	if (team->size == 2)
		join_as_pair(self);
	else if (unlikely(groups != NULL))
		join_in_group(self, groups);
	else if (team->size <= FLAT_JOIN)
		join_flat(self);
	else
		join_by_counters(self);
	if (self->number == 0)
		rt_tsan_acquire(&team->join);
}
