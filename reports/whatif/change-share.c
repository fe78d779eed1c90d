/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the threads of a team share a construct's work: evenly, or by another schedule. Where
 * iterations take turns (ordered) they are known one by one, and are dealt out anew; otherwise all
 * schedules but one block for each thread are taken to be even.
 */
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "memory.h"

/* One execution of a construct by a team: each member's body is [begins, ends). */
struct shared {
	struct recording *recording;
	const struct recorded_team *team;
	size_t *begins, *ends;
	uint64_t *work;
};

/* An iteration with its turn. */
struct turn {
	uint32_t signal; /* given at its end; later ones have larger numbers */
	const struct action *actions;
	size_t count;
};

static void scale_body(struct strand *strand, size_t begin, size_t end, double factor)
{
	for (size_t i = begin; i < end; i++) {
		if (action_is_work(&strand->actions[i]))
			strand->actions[i].ticks =
			    (uint64_t)((double)strand->actions[i].ticks * factor + 0.5);
	}
}

static void insert_work(
    struct recording *recording, uint32_t index, size_t at, uint32_t construct, uint64_t ticks)
{
	struct strand *strand = strand_edit(recording, index);

	strand->actions = memory_grow(
	    strand->actions, &strand->room, strand->count + 1, sizeof(strand->actions[0]));
	memmove(&strand->actions[at + 1], &strand->actions[at],
	    (strand->count - at) * sizeof(strand->actions[0]));
	strand->actions[at] = (struct action){ticks, construct, ACTION_WORK};
	strand->count++;
}

static struct strand *member_strand(const struct shared *shared, uint32_t member)
{
	return strand_edit(shared->recording, shared->team->strands[member]);
}

/* The next execution behind the last one; false: not all members have one. */
static bool find_execution(struct shared *shared, const bool *constructs)
{
	for (uint32_t i = 0; i < shared->team->size; i++) {
		const struct strand *strand = &shared->recording->strands[shared->team->strands[i]];

		shared->begins[i] = shared->ends[i];
		if (!change_find_body(strand, constructs, &shared->begins[i], &shared->ends[i]))
			return false;
		shared->work[i] = change_work(strand, shared->begins[i], shared->ends[i]);
	}
	return true;
}

static void balance(struct shared *shared)
{
	uint64_t mean = 0;

	for (uint32_t i = 0; i < shared->team->size; i++)
		mean += shared->work[i];
	mean /= shared->team->size;
	for (uint32_t i = 0; i < shared->team->size; i++) {
		struct strand *strand = member_strand(shared, i);

		if (shared->work[i] > 0) {
			scale_body(strand, shared->begins[i], shared->ends[i],
			    (double)mean / (double)shared->work[i]);
		} else if (mean > 0) {
			insert_work(shared->recording, shared->team->strands[i], shared->begins[i],
			    strand->actions[shared->begins[i] - 1].subject, mean);
			shared->ends[i]++;
		}
	}
}

static int compare_turns(const void *one, const void *other)
{
	const struct turn *a = one, *b = other;

	return (a->signal > b->signal) - (a->signal < b->signal);
}

/* The iterations of all members in their order; NULL: they take no turns. */
static struct turn *find_turns(const struct shared *shared, size_t *count)
{
	struct turn *turns = NULL;
	size_t room = 0;

	*count = 0;
	for (uint32_t i = 0; i < shared->team->size; i++) {
		const struct strand *strand = &shared->recording->strands[shared->team->strands[i]];
		size_t begin = shared->begins[i];

		for (size_t j = begin; j < shared->ends[i]; j++) {
			if (strand->actions[j].kind != ACTION_SIGNAL)
				continue;
			turns = memory_grow(turns, &room, *count + 1, sizeof(turns[0]));
			turns[*count].signal = strand->actions[j].subject;
			/* With the leave of its ordered region. */
			if (j + 1 < shared->ends[i] && strand->actions[j + 1].kind == ACTION_LEAVE)
				j++;
			turns[*count].actions = &strand->actions[begin];
			turns[(*count)++].count = j + 1 - begin;
			begin = j + 1;
		}
	}
	if (turns)
		qsort(turns, *count, sizeof(turns[0]), compare_turns);
	return turns;
}

/* Which member the n-th of so many iterations falls to. */
static uint32_t member_of(
    const struct shared *shared, const struct change *change, size_t n, size_t count)
{
	size_t size = shared->team->size;
	size_t chunk = (size_t)change->number;

	/* Turns keep threads that take chunks as they go in the order of the chunks. */
	if (chunk == 0)
		chunk = change->schedule == SCHEDULE_STATIC ? (count + size - 1) / size : 1;
	return (uint32_t)(n / chunk % size);
}

/* The member's strand with the iterations that fall to it, and what it does behind its last one. */
static void deal_to(struct shared *shared, const struct change *change, const struct turn *turns,
    size_t count, uint32_t member, struct strand *made)
{
	const struct strand *strand = &shared->recording->strands[shared->team->strands[member]];
	size_t rest = shared->begins[member], room = strand->count;

	for (size_t i = 0; i < count; i++)
		room += turns[i].count;
	for (size_t i = rest; i < shared->ends[member]; i++) {
		if (strand->actions[i].kind == ACTION_SIGNAL)
			rest = i + 1 +
			       (i + 1 < shared->ends[member] &&
				   strand->actions[i + 1].kind == ACTION_LEAVE);
	}
	made->actions = memory_new(room, sizeof(made->actions[0]));
	memcpy(made->actions, strand->actions, shared->begins[member] * sizeof(made->actions[0]));
	made->count = shared->begins[member];
	for (size_t i = 0; i < count; i++) {
		if (member_of(shared, change, i, count) != member)
			continue;
		memcpy(&made->actions[made->count], turns[i].actions,
		    turns[i].count * sizeof(made->actions[0]));
		made->count += turns[i].count;
	}
	memcpy(&made->actions[made->count], &strand->actions[rest],
	    (strand->count - rest) * sizeof(made->actions[0]));
	made->count += strand->count - rest;
}

/* false: the iterations take no turns. */
static bool deal_turns(struct shared *shared, const struct change *change)
{
	size_t count;
	struct turn *turns = find_turns(shared, &count);
	struct strand *made;

	if (!turns)
		return false;
	made = memory_new(shared->team->size, sizeof(made[0]));
	for (uint32_t i = 0; i < shared->team->size; i++)
		deal_to(shared, change, turns, count, i, &made[i]);
	for (uint32_t i = 0; i < shared->team->size; i++) {
		size_t before = shared->recording->strands[shared->team->strands[i]].count;

		shared->ends[i] = shared->ends[i] + made[i].count - before;
		strand_replace(
		    shared->recording, shared->team->strands[i], made[i].actions, made[i].count);
	}
	free(made);
	free(turns);
	return true;
}

static void share_execution(struct shared *shared, const struct change *change)
{
	if (change->kind == CHANGE_BALANCE) {
		balance(shared);
		return;
	}
	/* In one block for each thread the work is as the trace has it. */
	if (!deal_turns(shared, change) &&
	    (change->schedule != SCHEDULE_STATIC || change->number > 0))
		balance(shared);
}

void change_share(struct recording *recording, const struct change *change)
{
	for (size_t i = 0; i < recording->team_count; i++) {
		const struct recorded_team *team = &recording->teams[i];
		struct shared shared = {
		    .recording = recording,
		    .team = team,
		    .begins = memory_new(team->size, sizeof(shared.begins[0])),
		    .ends = memory_new(team->size, sizeof(shared.ends[0])),
		    .work = memory_new(team->size, sizeof(shared.work[0])),
		};

		while (team->size > 1 && find_execution(&shared, change->subjects))
			share_execution(&shared, change);
		free(shared.begins);
		free(shared.ends);
		free(shared.work);
	}
}
