/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cause of the waits at each barrier. Of the work since each thread's previous barrier, or
 * since it began in the team, this is the construct in which the busiest thread spent most beyond
 * the others. Tasks that a thread executes within the barrier count as work before it. The busiest
 * thread is the one that waited least, for anything: a thread that arrives last because it waited
 * for a lock or for tasks did not keep the others waiting. Nothing is recorded unless a report asks
 * for it.
 */
#include <stdlib.h>

#include "memory.h"
#include "pass.h"

/* Work in a construct, in ticks: of the team, and of the thread that has waited least so far. */
struct share {
	uint32_t construct;
	uint64_t sum, busiest;
};

/* One barrier of a team until all its threads have left it. */
struct meeting {
	uint32_t construct, left;
	uint64_t least; /* wait */
	struct share *shares;
	size_t share_count, share_room;
	struct map_key key;
};

struct meetings {
	struct pair_map meeting_of, ordinals; /* (construct, ordinal); (construct, thread) */
	struct meeting *open;
	size_t count, room;
};

void analysis_spend(
    const struct analysis *analysis, struct thread *thread, uint32_t construct, uint64_t ticks)
{
	struct stay *stay = thread->stay_count ? &thread->stays[thread->stay_count - 1] : NULL;
	size_t at = 0;

	if (!analysis->choice->has_behind || !stay || construct == NO_CONSTRUCT || ticks == 0)
		return;
	while (at < stay->spent_count && stay->spent[at].construct != construct)
		at++;
	if (at == stay->spent_count) {
		MEMORY_GROW(stay->spent, stay->spent_room, at + 1);
		stay->spent[stay->spent_count++] = (struct spent){construct, 0};
	}
	stay->spent[at].ticks += ticks;
}

static struct meeting *find_meeting(struct meetings *meetings, uint32_t thread, uint32_t construct)
{
	struct map_key by_thread = {construct, thread}, key = {construct, 0};
	uint64_t index;

	key.second = (*memory_pair_map_place(&meetings->ordinals, by_thread, 0))++;
	index = pair_map_find(&meetings->meeting_of, key);
	if (index == MAP_NONE) {
		index = meetings->count++;
		MEMORY_GROW(meetings->open, meetings->room, meetings->count);
		meetings->open[index] = (struct meeting){.construct = construct, .key = key};
		memory_pair_map_set(&meetings->meeting_of, key, index);
	}
	return &meetings->open[index];
}

static void add_share(struct meeting *meeting, const struct spent *spent, bool is_busiest)
{
	size_t at = 0;

	while (at < meeting->share_count && meeting->shares[at].construct != spent->construct)
		at++;
	if (at == meeting->share_count) {
		MEMORY_GROW(meeting->shares, meeting->share_room, at + 1);
		meeting->shares[meeting->share_count++] = (struct share){spent->construct, 0, 0};
	}
	meeting->shares[at].sum += spent->ticks;
	if (is_busiest)
		meeting->shares[at].busiest = spent->ticks;
}

void analysis_add_behind(struct analysis *analysis, const struct behind *more)
{
	struct map_key key = {more->barrier, more->construct};
	uint64_t index = pair_map_find(&analysis->behind_of, key);

	if (index == MAP_NONE) {
		index = analysis->behind_count++;
		MEMORY_GROW(analysis->behind, analysis->behind_room, analysis->behind_count);
		analysis->behind[index] = (struct behind){more->barrier, more->construct, 0};
		memory_pair_map_set(&analysis->behind_of, key, index);
	}
	analysis->behind[index].lost += more->lost;
}

/* All threads have left: counts what the busiest thread did more than the others. */
static void settle(struct analysis *analysis, const struct team *team, struct meeting *meeting)
{
	struct meetings *meetings = team->meetings;
	struct behind most = {meeting->construct, NO_CONSTRUCT, 0};
	size_t index = (size_t)(meeting - meetings->open);
	uint64_t busiest = 0, sum = 0, uneven;

	for (size_t i = 0; i < meeting->share_count; i++) {
		const struct share *share = &meeting->shares[i];
		uint64_t all = share->busiest * meeting->left;

		if (all > share->sum && all - share->sum > most.lost) {
			most.construct = share->construct;
			most.lost = all - share->sum;
		}
	}
	/* The others may have done more elsewhere, which makes up for some of it. */
	for (size_t i = 0; i < meeting->share_count; i++) {
		busiest += meeting->shares[i].busiest;
		sum += meeting->shares[i].sum;
	}
	uneven = busiest * meeting->left > sum ? busiest * meeting->left - sum : 0;
	if (most.lost > uneven)
		most.lost = uneven;
	if (most.lost > 0 && team->has_chosen && analysis->real_time >= analysis->clip_from &&
	    analysis->real_time <= analysis->clip_to)
		analysis_add_behind(analysis, &most);
	free(meeting->shares);
	pair_map_erase(&meetings->meeting_of, meeting->key);
	/* The last element fills the gap. */
	*meeting = meetings->open[--meetings->count];
	if (index < meetings->count)
		memory_pair_map_set(&meetings->meeting_of, meeting->key, index);
}

void analysis_meet(struct analysis *analysis, uint32_t thread, uint32_t construct)
{
	struct thread *state = &analysis->threads[thread];
	struct stay *stay = state->stay_count ? &state->stays[state->stay_count - 1] : NULL;
	uint64_t waits = analysis_waits(state), wait;
	struct meeting *meeting;
	bool is_busiest;

	if (!analysis->choice->has_behind || !stay || stay->team->size < 2 ||
	    construct == NO_CONSTRUCT)
		return;
	if (!stay->team->meetings)
		stay->team->meetings = memory_new(1, sizeof(*stay->team->meetings));
	meeting = find_meeting(stay->team->meetings, thread, construct);
	wait = waits - stay->waits_before;
	is_busiest = meeting->left == 0 || wait < meeting->least;
	if (is_busiest)
		meeting->least = wait;
	for (size_t i = 0; i < meeting->share_count && is_busiest; i++)
		meeting->shares[i].busiest = 0;
	for (size_t i = 0; i < stay->spent_count; i++)
		add_share(meeting, &stay->spent[i], is_busiest);
	stay->spent_count = 0;
	stay->waits_before = waits;
	if (++meeting->left == stay->team->size)
		settle(analysis, stay->team, meeting);
}

void analysis_clear_meetings(struct meetings *meetings)
{
	if (!meetings)
		return;
	for (size_t i = 0; i < meetings->count; i++)
		free(meetings->open[i].shares);
	meetings->count = 0;
	pair_map_clear(&meetings->meeting_of);
	pair_map_clear(&meetings->ordinals);
}

void analysis_free_meetings(struct meetings *meetings)
{
	if (!meetings)
		return;
	for (size_t i = 0; i < meetings->count; i++)
		free(meetings->open[i].shares);
	free(meetings->open);
	pair_map_free(&meetings->meeting_of);
	pair_map_free(&meetings->ordinals);
	free(meetings);
}

const struct behind *analysis_behind(const struct analysis *analysis, uint32_t barrier)
{
	const struct behind *most = NULL;

	for (size_t i = 0; i < analysis->behind_count; i++) {
		const struct behind *behind = &analysis->behind[i];

		if (behind->barrier == barrier && (!most || behind->lost > most->lost))
			most = behind;
	}
	return most;
}
