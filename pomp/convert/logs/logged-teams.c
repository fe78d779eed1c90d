/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects teams. A run may have tens of millions of them, so the first pass keeps only a hash of
 * each team's members. A second pass reads the members themselves, for one team of each kind.
 */
#include "logged-teams.h"

#include "shared/array.h"
#include "shared/hash-map.h"
#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

/* A location's teams while its log is read: the same rules as for its region stack. */
struct nesting {
	struct level {
		uint64_t team;
		uint32_t number; /* thread number in team */
		bool fork;       /* from fork to join; else from begin to end */
		size_t inner; /* depth of the innermost team up to and including this, plus one; 0:
				 none */
	} * level;
	size_t depth, capacity;
	size_t near; /* index of the latest team */
};

static bool push(struct nesting *nesting, struct level level)
{
	if (!ARRAY_ROOM(nesting->level, nesting->depth, nesting->capacity, 1))
		return false;
	level.inner = nesting->depth + 1;
	if (level.fork)
		level.inner = nesting->depth > 0 ? nesting->level[nesting->depth - 1].inner : 0;
	nesting->level[nesting->depth++] = level;
	return true;
}

/* Returns the depth of the team's fork, plus one; 0 if this location did not fork it. */
static size_t find_fork(const struct nesting *nesting, uint64_t team)
{
	for (size_t depth = nesting->depth; depth > 0; depth--)
		if (nesting->level[depth - 1].fork && nesting->level[depth - 1].team == team)
			return depth;
	return 0;
}

static const struct level *innermost_team(const struct nesting *nesting)
{
	size_t inner = nesting->depth > 0 ? nesting->level[nesting->depth - 1].inner : 0;

	return inner > 0 ? &nesting->level[inner - 1] : NULL;
}

/* Logs mostly mention teams in order of number: the next one follows the previous one. */
struct convert_team *convert_team_find(
    const struct convert_teams *teams, uint64_t number, size_t *near)
{
	if (number == 0)
		return NULL;
	for (size_t place = *near; place < *near + 2 && place < teams->team_count; place++)
		if (teams->teams[place].number == number) {
			*near = place;
			return &teams->teams[place];
		}
	size_t place = teams->team_count;
	if (teams->ascending) {
		SEARCH(place, teams->team_count, teams->teams[place].number < number);
	} else {
		const uint64_t *known = convert_numbers_find(&teams->places, number);
		place = known != NULL ? *known : place;
	}
	if (place == teams->team_count || teams->teams[place].number != number)
		return NULL;
	*near = place;
	return &teams->teams[place];
}

/* From now on the teams are not in order. */
static bool number_places(struct convert_teams *teams)
{
	for (size_t i = 0; i < teams->team_count; i++) {
		uint64_t *place = convert_numbers_make(&teams->places, teams->teams[i].number);
		if (place == NULL)
			return false;
		*place = i;
	}
	teams->ascending = false;
	return true;
}

/* The same, but adds a missing team; NULL for number 0, and when memory ran out. */
static struct convert_team *team_of(struct convert_teams *teams, uint64_t number, size_t *near)
{
	struct convert_team *known = convert_team_find(teams, number, near);
	size_t count = teams->team_count;

	if (known != NULL || number == 0)
		return known;
	if (!ARRAY_ROOM(teams->teams, count, teams->team_capacity, 1))
		return NULL;
	if (teams->ascending && count > 0 && teams->teams[count - 1].number > number &&
	    !number_places(teams))
		return NULL;
	if (!teams->ascending) {
		uint64_t *place = convert_numbers_make(&teams->places, number);
		if (place == NULL)
			return NULL;
		*place = count;
	}
	teams->teams[count] =
	    (struct convert_team){.number = number, .comm = CONVERT_NONE, .master = CONVERT_NONE};
	teams->team_count++;
	*near = count;
	return &teams->teams[count];
}

static bool note_fork(struct convert_teams *teams, struct nesting *nesting, uint32_t location,
    const struct convert_record *record)
{
	struct convert_team *team = team_of(teams, record->payload[0], &nesting->near);
	const struct level *outer = innermost_team(nesting);

	if (team == NULL)
		return record->payload[0] == 0; /* no team has number 0: damage */
	team->master = location;
	if (outer != NULL) {
		team->parent = outer->team;
		team->master_number = outer->number;
	}
	return push(nesting, (struct level){.team = record->payload[0], .fork = true});
}

static bool note_begin(struct convert_teams *teams, struct nesting *nesting, uint32_t location,
    const struct convert_record *record)
{
	struct convert_team *team = team_of(teams, record->payload[0], &nesting->near);
	uint32_t number = (uint32_t)(record->payload[1] >> 32);
	struct convert_thread *thread = &teams->threads[location];

	nesting->depth = find_fork(nesting, record->payload[0]);
	if (team == NULL)
		return record->payload[0] == 0;
	team->size++;
	team->members_hash += convert_mix(convert_mix(number + 1) + location);
	if (thread->first_team == 0 && team->master != location && number != 0) {
		thread->first_team = record->payload[0];
		thread->first_number = number;
	}
	return push(nesting, (struct level){.team = record->payload[0], .number = number});
}

/* Reads one log for its teams; false when memory ran out. */
static bool scan_log(struct convert_teams *teams, const struct convert_log *log, uint32_t location)
{
	struct convert_cursor cursor = convert_cursor_of(log);
	struct convert_record record;
	struct nesting nesting = {0};
	bool fits = true;

	while (fits && convert_next(&cursor, &record)) {
		switch (record.kind) {
		case TRACE_LOG_FORK:
			fits = note_fork(teams, &nesting, location, &record);
			break;
		case TRACE_LOG_TEAM_BEGIN:
			fits = note_begin(teams, &nesting, location, &record);
			break;
		case TRACE_LOG_TEAM_END:
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): depth says so */
			while (nesting.depth > 0 && nesting.level[nesting.depth - 1].fork)
				nesting.depth--;
			nesting.depth -= nesting.depth > 0;
			break;
		case TRACE_LOG_JOIN:
			nesting.depth = find_fork(&nesting, record.payload[0]);
			nesting.depth -= nesting.depth > 0;
			break;
		case TRACE_LOG_LOCK_ACQUIRED:
			if (record.argument > teams->lock_count)
				teams->lock_count = record.argument;
			break;
		default:
			break;
		}
	}
	if (cursor.time > teams->last)
		teams->last = cursor.time;
	free(nesting.level);
	return fits;
}

/* Returns a hash of what makes teams alike; comms are found by it. */
static uint64_t hash_of(const struct convert_team *team, uint32_t parent)
{
	return team->members_hash + convert_mix(parent);
}

static bool is_alike(const struct convert_teams *teams, const struct convert_comm *comm,
    const struct convert_team *team, uint32_t parent)
{
	return comm->parent == parent && comm->size == team->size &&
	       teams->teams[comm->team].members_hash == team->members_hash;
}

static int by_number(const void *left, const void *right, void *context)
{
	const struct convert_team *teams = context;
	uint64_t one = teams[*(const uint32_t *)left].number;
	uint64_t two = teams[*(const uint32_t *)right].number;

	return one < two ? -1 : one > two;
}

/*
 * Returns the teams' indices in order of number, if that differs; heap, NULL when memory ran out.
 */
static uint32_t *sort_teams(const struct convert_teams *teams)
{
	uint32_t *order = malloc((teams->team_count + 1) * sizeof(*order));

	for (uint32_t i = 0; order != NULL && i < teams->team_count; i++)
		order[i] = i;
	if (order != NULL)
		qsort_r(order, teams->team_count, sizeof(*order), by_number, teams->teams);
	return order;
}

static bool find_comm(struct convert_teams *teams, struct map *alike, size_t place)
{
	struct convert_team *team = &teams->teams[place];
	size_t near = place;
	const struct convert_team *parent = convert_team_find(teams, team->parent, &near);
	uint32_t outer = parent != NULL ? parent->comm : CONVERT_NONE;

	if (team->size == 0)
		return true;
	uint64_t hash = hash_of(team, outer);
	for (size_t at = map_first(alike, hash); at != MAP_END; at = map_next(alike, hash, at))
		if (is_alike(teams, &teams->comms[map_value(alike, at)], team, outer)) {
			team->comm = (uint32_t)map_value(alike, at);
			return true;
		}
	struct convert_comm comm = {.team = place, .parent = outer, .size = team->size};
	team->comm = (uint32_t)teams->comm_count;
	return map_add(alike, hash, team->comm) &&
	       ARRAY_PUSH(teams->comms, teams->comm_count, teams->comm_capacity, comm);
}

/* Gives each team its comm, in order of number: a parent's number is lower than its children's. */
static bool find_comms(struct convert_teams *teams)
{
	struct map alike = {0};
	uint32_t *order = teams->ascending ? NULL : sort_teams(teams);
	bool fits = teams->ascending || order != NULL;

	for (size_t i = 0; fits && i < teams->team_count; i++)
		fits = find_comm(teams, &alike, order != NULL ? order[i] : i);
	free(order);
	map_free(&alike);
	return fits;
}

/*
 * Puts a location at its thread number, or at a free place if another location is already there.
 * False when there is none.
 */
static bool place_member(struct convert_comm *comm, uint32_t number, uint32_t location)
{
	if (number >= comm->size || comm->member[number] != CONVERT_NONE)
		for (number = 0; comm->member[number] != CONVERT_NONE;)
			if (++number == comm->size)
				return false;
	comm->member[number] = location;
	comm->rank[comm->found++] = number;
	return true;
}

/*
 * Reads the logs again, one location after the other, for the members of the teams that represent a
 * comm. These are the first ones of their kind, so mostly little of a log must be read.
 */
static bool fill_members(struct convert_teams *teams, const struct convert_input *input)
{
	struct convert_record record;
	uint64_t missing = 0;

	for (size_t i = 0; i < teams->comm_count; i++)
		missing += teams->comms[i].size;
	uint32_t *member = malloc((missing + 1) * 2 * sizeof(*member)), *rank = member + missing;
	if (member == NULL)
		return false;
	teams->members = member;
	memset(member, 0xff, missing * sizeof(*member));
	for (size_t i = 0; i < teams->comm_count; i++) {
		struct convert_comm *comm = &teams->comms[i];
		comm->member = member;
		comm->rank = rank;
		member += comm->size;
		rank += comm->size;
	}
	for (uint32_t location = 0; location < input->log_count; location++) {
		struct convert_cursor cursor = convert_cursor_of(&input->logs[location]);
		size_t near = 0;
		while (missing > 0 && convert_next(&cursor, &record)) {
			if (record.kind != TRACE_LOG_TEAM_BEGIN)
				continue;
			const struct convert_team *team =
			    convert_team_find(teams, record.payload[0], &near);
			struct convert_comm *comm = team != NULL && team->comm != CONVERT_NONE
							? &teams->comms[team->comm]
							: NULL;
			if (comm != NULL && &teams->teams[comm->team] == team)
				missing -= place_member(
				    comm, (uint32_t)(record.payload[1] >> 32), location);
		}
	}
	return true;
}

bool convert_teams_collect(struct convert_teams *teams, const struct convert_input *input)
{
	*teams = (struct convert_teams){.ascending = true};
	teams->threads = calloc(input->log_count, sizeof(*teams->threads));
	if (teams->threads == NULL)
		return false;
	for (size_t i = 0; i < input->region_count; i++) {
		uint32_t lock = input->regions[i].head.lock;
		if (lock > teams->lock_count && lock <= TRACE_LOG_ARGUMENT_MAX)
			teams->lock_count = lock;
	}
	for (uint32_t location = 0; location < input->log_count; location++)
		if (!scan_log(teams, &input->logs[location], location))
			return false;
	return find_comms(teams) && fill_members(teams, input);
}

void convert_teams_free(struct convert_teams *teams)
{
	free(teams->members);
	free(teams->comms);
	free(teams->teams);
	convert_numbers_free(&teams->places);
	free(teams->threads);
	*teams = (struct convert_teams){0};
}

uint32_t convert_comm_rank(const struct convert_comm *comm, uint32_t location)
{
	uint32_t place;

	SEARCH(place, comm->found, comm->member[comm->rank[place]] < location);
	if (place == comm->found || comm->member[comm->rank[place]] != location)
		return 0;
	return comm->rank[place];
}
