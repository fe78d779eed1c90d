/* SPDX-License-Identifier: BSD-3-Clause */
/* A team made as the runtime makes one, but that no worker is started. */
#include "team-by-hand.h"

#include <stdlib.h>

#include "check.h"
#include "home.h"
#include "team-groups.h"
#include "thread-record.h"

static struct rt_team *team;

void hand_no_spinning(void)
{
	rt_self();
	rt_process.wait_policy = RT_WAIT_PASSIVE;
	store_relaxed(&rt_process.spin_count, 0);
	store_relaxed(&rt_process.spin_oversubscribed, 0);
}

static struct rt_member *new_member(uint32_t number)
{
	struct rt_member *member = rt_home_new(sizeof(*member), false, RT_NODE_ANY);

	EXPECT(member != NULL);
	member->team = team;
	member->number = number;
	return member;
}

struct rt_team *hand_team_new(uint32_t size)
{
	struct rt_thread *self = rt_self();
	struct rt_roster *roster = calloc(1, sizeof(*roster) + size * sizeof(struct rt_member *));

	team = rt_team_new_initial(self);
	EXPECT(roster != NULL && team != NULL);
	roster->capacity = size;
	roster->members[0] = rt_team_member(team, 0);
	for (uint32_t i = 1; i < size; i++) {
		roster->members[i] = new_member(i);
		roster->members[i]->thread = rt_thread_new();
		EXPECT(roster->members[i]->thread != NULL);
		roster->members[i]->thread->number = i;
		roster->members[i]->thread->is_worker = true;
	}
	store_relaxed(&team->roster, roster);
	team->size = team->started = team->last_size = size;
	team->level = team->active_level = 1;
	team->width = size;
	team->parent = self->team;
	team->parent_member = self->member;
	team->parent_task = self->task;
	team->task_depth = 1;
	team->teams_count = 1;
	EXPECT(rt_barrier_resize(&team->barrier, size) && rt_barrier_resize(&team->join, size));
	return team;
}

struct rt_thread *hand_team_enter(void)
{
	struct rt_member *member = rt_team_member(team, check_thread());

	if (member->number != 0)
		rt_thread_set_current(member->thread);
	rt_team_enter(member->thread, member, &team->begin);
	return member->thread;
}

static void run_members(uint32_t size, void (*body)(void *))
{
	for (uint32_t i = 1; i < size; i++)
		check_start(body, NULL);
	body(NULL);
	check_join();
}

void hand_team_run(uint32_t size, void (*body)(void *))
{
	hand_no_spinning();
	hand_team_new(size);
	run_members(size, body);
}

void hand_team_run_divided(void (*body)(void *))
{
	enum { MEMBERS = 3, GROUP = 2 };

	hand_no_spinning();
	rt_process.group_size = GROUP;
	rt_process.undivided_size = GROUP;
	EXPECT(rt_team_divide(hand_team_new(MEMBERS)));
	run_members(MEMBERS, body);
}
