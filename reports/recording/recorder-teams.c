/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: the strands that a fork starts, how long after the fork they start, and the barriers at
 * which they wait for each other. The n-th barriers of all members of a team are the same barrier.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "recorder-state.h"

static struct open_team *team_of(struct recorder *recorder, const struct place *place)
{
	uint32_t team = recorder->strands[place->strand].team;

	return team == RECORDED_NONE ? NULL : &recorder->teams[team];
}

void recorder_fork(struct recorder *recorder, struct place *place, uint64_t now)
{
	strand_add(recorder->recording, place->strand, ACTION_FORK, RECORDED_NONE, 0);
	*MEMORY_ADD(place->forks, place->fork_room, place->fork_count) = (struct open_fork){
	    .at = now,
	    .strand = place->strand,
	    .team = RECORDED_NONE,
	    .action = recorder->recording->strands[place->strand].count - 1,
	};
}

static uint32_t new_team(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	MEMORY_GROW(recording->teams, recording->team_room, recording->team_count + 1);
	MEMORY_GROW(recorder->teams, recorder->team_room, recording->team_count + 1);
	recording->teams[recording->team_count] =
	    (struct recorded_team){.construct = RECORDED_NONE, .parent = RECORDED_NONE};
	recorder->teams[recording->team_count] = (struct open_team){.completed = RECORDED_NONE};
	return (uint32_t)recording->team_count++;
}

/* Adds a member to the team and returns its strand. */
static uint32_t add_member(struct recorder *recorder, uint32_t index, uint32_t thread, uint64_t now)
{
	struct recorded_team *team = &recorder->recording->teams[index];
	struct open_team *open = &recorder->teams[index];
	uint32_t member = team->size++;
	uint32_t strand = recorder_new_strand(recorder, index, RECORDED_NONE);

	team = &recorder->recording->teams[index];
	MEMORY_GROW(team->strands, open->strand_room, team->size);
	MEMORY_GROW(open->begun_at, open->begun_room, team->size);
	MEMORY_GROW(open->ended_at, open->ended_room, team->size);
	MEMORY_GROW(open->threads, open->thread_room, team->size);
	team->strands[member] = strand;
	open->begun_at[member] = now;
	open->threads[member] = thread;
	recorder->strands[strand].member = member;
	return strand;
}

void recorder_begin(
    struct recorder *recorder, const struct analysis *analysis, uint32_t thread, uint64_t now)
{
	const struct thread *state = &analysis->threads[thread];
	const struct stay *stay = &state->stays[state->stay_count - 1];
	struct place *place = &recorder->places[thread];
	struct open_fork *fork = place->fork_count ? &place->forks[place->fork_count - 1] : NULL;
	uint64_t key = (uintptr_t)stay->team;
	uint64_t found = stay->member == 0 ? MAP_NONE : map_find(&recorder->team_of, key);
	uint32_t team = found == MAP_NONE ? new_team(recorder) : (uint32_t)found;
	uint32_t strand = add_member(recorder, team, thread, now);

	memory_map_set(&recorder->team_of, key, team);
	/* In a damaged archive a second thread may claim to have forked the team. */
	if (fork && fork->team == RECORDED_NONE && state->fork_count > 0 &&
	    state->forks[state->fork_count - 1].team == stay->team &&
	    recorder->recording->teams[team].parent == RECORDED_NONE) {
		fork->team = team;
		recorder->teams[team].forked_at = fork->at;
		recorder->recording->teams[team].parent = fork->strand;
		recorder->recording->teams[team].master = recorder->strands[strand].member;
		recorder->recording->strands[fork->strand].actions[fork->action].subject = team;
	}
	*MEMORY_ADD(place->stays, place->stay_room, place->stay_count) =
	    (struct open_stay){strand, place->strand};
	place->strand = strand;
	place->idle_since = now;
}

void recorder_name_team(struct recorder *recorder, struct place *place, uint32_t construct)
{
	uint32_t team = recorder->strands[place->strand].team;

	if (team != RECORDED_NONE)
		recorder->recording->teams[team].construct = construct;
}

void recorder_end(struct recorder *recorder, uint32_t thread, uint64_t now)
{
	struct place *place = &recorder->places[thread];
	struct open_stay stay;
	const struct open_strand *strand;

	if (place->stay_count == 0)
		return;
	stay = place->stays[--place->stay_count];
	strand = &recorder->strands[stay.strand];
	recorder->teams[strand->team].ended_at[strand->member] = now;
	place->strand = stay.before;
}

void recorder_join(struct recorder *recorder, struct place *place, uint64_t now)
{
	struct open_fork fork;
	struct recorded_team *team;
	const struct open_team *open;
	uint64_t ended;

	if (place->fork_count == 0)
		return;
	fork = place->forks[--place->fork_count];
	if (fork.team == RECORDED_NONE)
		return;
	team = &recorder->recording->teams[fork.team];
	open = &recorder->teams[fork.team];
	ended = open->ended_at[team->master];
	for (uint32_t i = 0; i < team->size && !team->has_barrier; i++) {
		if (open->ended_at[i] > ended)
			ended = open->ended_at[i];
	}
	team->join = now > ended ? now - ended : 0;
}

void recorder_arrive(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now)
{
	struct open_strand *strand = &recorder->strands[place->strand];
	struct open_team *team = team_of(recorder, place);

	if (team) {
		struct recorded_team *recorded = &recorder->recording->teams[strand->team];

		MEMORY_GROW(team->arrived_at, team->barrier_room, strand->barriers + 1);
		if (team->arrived_at[strand->barriers] < now)
			team->arrived_at[strand->barriers] = now;
		MEMORY_GROW(team->arrivals, team->arrival_room, strand->barriers + 1);
		team->arrivals[strand->barriers]++;
		strand->barriers++;
		recorded->has_barrier |= construct == recorded->construct;
	}
	recorder_begin_wait(recorder, place, ACTION_BARRIER, construct, now);
}

/*
 * The last arrival comes later in the stream, at the same time; the wait's cost is determined then.
 */
static void postpone(struct recorder *recorder, const struct place *place, uint64_t now)
{
	const struct open_strand *strand = &recorder->strands[place->strand];

	*MEMORY_ADD(recorder->departures, recorder->departure_room, recorder->departure_count) =
	    (struct open_departure){
		.strand = place->strand,
		.team = strand->team,
		.barrier = strand->barriers - 1,
		.action = strand->wait - 1,
		.since = strand->wait_since,
		.ready = place->idle_since,
		.left = now,
	    };
}

void recorder_depart(struct recorder *recorder, struct place *place, uint64_t now)
{
	const struct open_strand *strand = &recorder->strands[place->strand];
	const struct open_team *team = team_of(recorder, place);
	uint64_t needed = 0;

	if (team) {
		if (team->arrivals[strand->barriers - 1] <
		    recorder->recording->teams[strand->team].size)
			postpone(recorder, place, now);
		needed = team->arrived_at[strand->barriers - 1];
		if (team->completed_at > needed)
			needed = team->completed_at;
		if (team->open_tasks > 0) /* the last task completes at the same time */
			needed = now;
	}
	recorder_end_wait(recorder, place, needed, now);
}

struct ordered_member {
	uint32_t thread, strand, is_master;
	uint64_t startup;
};

static int compare_members(const void *one, const void *other)
{
	const struct ordered_member *a = one, *b = other;

	return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Sorts the members by location, which is the order of their thread numbers. */
static void order_members(struct recorded_team *team, const struct open_team *open)
{
	struct ordered_member *members = memory_new(team->size, sizeof(members[0]));

	team->startup = memory_new(team->size, sizeof(team->startup[0]));
	for (uint32_t i = 0; i < team->size; i++) {
		uint64_t begun = open->begun_at[i];

		members[i] = (struct ordered_member){open->threads[i], team->strands[i],
		    i == team->master, begun > open->forked_at ? begun - open->forked_at : 0};
	}
	qsort(members, team->size, sizeof(members[0]), compare_members);
	for (uint32_t i = 0; i < team->size; i++) {
		team->strands[i] = members[i].strand;
		team->startup[i] = members[i].startup;
		if (members[i].is_master)
			team->master = i;
	}
	free(members);
}

void recorder_finish_teams(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	for (size_t i = 0; i < recorder->departure_count; i++) {
		const struct open_departure *departure = &recorder->departures[i];
		uint64_t ready = recorder->teams[departure->team].arrived_at[departure->barrier];
		struct action *action =
		    &recording->strands[departure->strand].actions[departure->action];

		if (ready < departure->ready)
			ready = departure->ready;
		action->ticks = departure->left > ready ? departure->left - ready : 0;
		action->is_long = ready - departure->since > recording->long_wait;
	}
	for (size_t i = 0; i < recording->team_count; i++)
		order_members(&recording->teams[i], &recorder->teams[i]);
}

static int compare_ticks(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

void recorder_finish_barriers(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;
	uint64_t *ticks[2] = {NULL, NULL};
	size_t counts[2] = {0, 0}, rooms[2] = {0, 0};

	for (size_t i = 0; i < recording->strand_count; i++)
		for (size_t j = 0; j < recording->strands[i].count; j++) {
			const struct action *action = &recording->strands[i].actions[j];

			if (action->kind == ACTION_BARRIER)
				*MEMORY_ADD(ticks[action->is_long], rooms[action->is_long],
				    counts[action->is_long]) = action->ticks;
		}
	for (int i = 0; i < 2; i++) {
		if (counts[i] > 0)
			qsort(ticks[i], counts[i], sizeof(ticks[i][0]), compare_ticks);
		recording->barrier_costs[i] = counts[i] > 0 ? ticks[i][counts[i] / 2] : 0;
		free(ticks[i]);
	}
	for (int i = 0; i < 2; i++) /* nothing shows the difference */
		if (counts[i] == 0)
			recording->barrier_costs[i] = recording->barrier_costs[1 - i];
}
