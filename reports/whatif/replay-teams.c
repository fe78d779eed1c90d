/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams in the replay: forks and joins. */
#include <stdlib.h>

#include "memory.h"
#include "replay-state.h"

bool live_fork(struct live *live, uint32_t index, uint32_t number)
{
	const struct recorded_team *team;
	struct live_team *new;
	uint64_t now = live->workers[index].time;

	live_top(&live->workers[index])->next++;
	if (number == RECORDED_NONE)
		return true;
	team = &live->recording->teams[number];
	new = &live->teams[number];
	new->joiner = RECORDED_NONE;
	new->workers = memory_new(team->size, sizeof(new->workers[0]));
	for (uint32_t i = 0; i < team->size; i++) {
		uint32_t member = i == team->master ? index : live_new_worker(live, now);

		live->workers[member].time = now + team->startup[i];
		live->replay->team += team->startup[i];
		live_push(live, member, team->strands[i], number, RECORDED_NONE);
		new->workers[i] = member;
		if (member != index)
			live_go_on(live, member);
	}
	return true;
}

/*
 * The forking thread joins the team: at once after the team's barrier, or else when all have ended.
 */
static void join(struct live *live, uint32_t index, uint32_t number)
{
	struct worker *worker = &live->workers[index];

	if (!live->recording->teams[number].has_barrier &&
	    worker->time < live->teams[number].last_end)
		worker->time = live->teams[number].last_end;
	worker->time += live->recording->teams[number].join;
	live->replay->team += live->recording->teams[number].join;
}

bool live_end_member(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	uint32_t number = live_top(worker)->team;
	const struct recorded_team *recorded = &live->recording->teams[number];
	struct live_team *team = &live->teams[number];
	bool is_master = team->workers[recorded->master] == index;

	worker->depth--;
	team->ended++;
	if (team->last_end < worker->time)
		team->last_end = worker->time;
	if (is_master && (recorded->has_barrier || team->ended == recorded->size)) {
		join(live, index, number);
		return true;
	}
	if (is_master) {
		team->joiner = index;
		return false;
	}
	live_end_worker(live, index);
	if (team->ended == recorded->size && team->joiner != RECORDED_NONE) {
		join(live, team->joiner, number);
		live_go_on(live, team->joiner);
	}
	return false;
}
