/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One location's records become OTF2 events. A stack of what is open follows the same rules as the
 * region stack of the program: a leaving record closes what stands above its partner, and whatever
 * is open when the log ends is closed there, so that every archive is balanced, killed programs
 * included.
 */
#include "archive.h"

#include <stdlib.h>
#include <string.h>

enum open_kind { OPEN_PLAIN, OPEN_CRITICAL, OPEN_FORK, OPEN_TEAM, OPEN_TASK, OPEN_ROUTINE };

/* One thing that is open. */
struct open {
	enum open_kind kind;
	enum convert_part part; /* PLAIN, CRITICAL, TASK */
	uint32_t id;            /* region id, or lock routine */
	OTF2_RegionRef region;
	uint32_t comm;   /* TEAM: CONVERT_NONE if unknown */
	uint32_t rank;   /* TEAM: own thread number in comm */
	uint64_t number; /* FORK, TEAM: team; TASK: task; CRITICAL: acquisition number */
	bool completed;  /* TASK: its end was seen */
};

struct location {
	struct convert_archive *archive;
	OTF2_EvtWriter *writer;
	uint32_t number;
	uint64_t time;
	struct open *open;
	size_t depth, capacity;
	uint32_t *order; /* by lock number: its acquisition held by this location */
};

static void check(struct location *location, OTF2_ErrorCode code)
{
	convert_check(location->archive, code);
}

static void enter(struct location *location, OTF2_RegionRef region)
{
	check(location, OTF2_EvtWriter_Enter(location->writer, NULL, location->time, region));
}

static void leave(struct location *location, OTF2_RegionRef region)
{
	check(location, OTF2_EvtWriter_Leave(location->writer, NULL, location->time, region));
}

static struct open *push(struct location *location, struct open open)
{
	if (location->depth == location->capacity) {
		size_t capacity = location->capacity == 0 ? 64 : location->capacity * 2;
		struct open *grown = realloc(location->open, capacity * sizeof(*grown));
		if (grown == NULL) {
			check(location, OTF2_ERROR_ENOMEM);
			return NULL;
		}
		location->open = grown;
		location->capacity = capacity;
	}
	location->open[location->depth] = open;
	return &location->open[location->depth++];
}

/* The innermost team below `depth`, or NULL. */
static const struct open *team_below(const struct location *location, size_t depth)
{
	while (depth > 0)
		if (location->open[--depth].kind == OPEN_TEAM)
			return &location->open[depth];
	return NULL;
}

/* A task's number names the creating location; OTF2 wants that thread's number in the team. */
static uint32_t creator_of(const struct location *location, const struct open *team, uint64_t task)
{
	const struct convert_input *input = location->archive->input;
	uint64_t creator = (task >> TRACE_LOG_TASK_SHIFT) - 1;

	if (creator < input->log_count && input->logs[creator].location == creator)
		return convert_comm_rank(
		    &location->archive->teams->comms[team->comm], (uint32_t)creator);
	for (uint32_t i = 0; i < input->log_count; i++)
		if (input->logs[i].location == creator)
			return convert_comm_rank(&location->archive->teams->comms[team->comm], i);
	return 0;
}

/* Tells that the thread goes on with what it runs at that depth: a task, or its implicit task. */
static void switch_to_task_below(struct location *location, size_t depth)
{
	const struct open *team = team_below(location, depth);
	uint32_t creator = team != NULL ? team->rank : 0;
	uint64_t task = 0;

	if (team == NULL || team->comm == CONVERT_NONE)
		return;
	while (depth > 0 && location->open[depth - 1].kind != OPEN_TEAM)
		if (location->open[--depth].kind == OPEN_TASK) {
			task = location->open[depth].number;
			creator = creator_of(location, team, task);
			break;
		}
	check(location, OTF2_EvtWriter_ThreadTaskSwitch(location->writer, NULL, location->time,
			    team->comm, creator, (uint32_t)task));
}

static void complete_task(struct location *location, uint64_t task)
{
	const struct open *team = team_below(location, location->depth);

	if (team != NULL && team->comm != CONVERT_NONE)
		check(location,
		    OTF2_EvtWriter_ThreadTaskComplete(location->writer, NULL, location->time,
			team->comm, creator_of(location, team, task), (uint32_t)task));
}

static void close_top(struct location *location)
{
	struct open open = location->open[--location->depth];

	switch (open.kind) {
	case OPEN_PLAIN:
	case OPEN_ROUTINE:
		leave(location, open.region);
		break;
	case OPEN_CRITICAL:
		leave(location, open.region);
		check(location,
		    OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, location->time,
			OTF2_PARADIGM_OPENMP, open.comm, (uint32_t)open.number));
		break;
	case OPEN_FORK:
		check(location, OTF2_EvtWriter_ThreadJoin(
				    location->writer, NULL, location->time, OTF2_PARADIGM_OPENMP));
		break;
	case OPEN_TEAM:
		leave(location, open.region);
		if (open.comm != CONVERT_NONE)
			check(location, OTF2_EvtWriter_ThreadTeamEnd(
					    location->writer, NULL, location->time, open.comm));
		break;
	case OPEN_TASK:
		leave(location, open.region);
		if (open.completed)
			complete_task(location, open.number);
		switch_to_task_below(location, location->depth);
		break;
	}
}

static void close_to(struct location *location, size_t depth)
{
	while (location->depth > depth)
		close_top(location);
}

/*
 * Closes the innermost open thing of that kind, part and id, with all above it. Like in the
 * program, the search ends at the team or task in which the thread is.
 */
static void close_matching(
    struct location *location, enum open_kind kind, enum convert_part part, uint32_t id)
{
	for (size_t depth = location->depth; depth > 0; depth--) {
		const struct open *open = &location->open[depth - 1];
		if (open->kind == kind && open->part == part && open->id == id) {
			close_to(location, depth - 1);
			return;
		}
		if (open->kind == OPEN_TEAM || open->kind == OPEN_TASK)
			return;
	}
}

/* What stands at depth + 1 is the fork of that team; 0: this location did not fork it. */
static size_t find_number(const struct location *location, enum open_kind kind, uint64_t number)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].kind == kind &&
		    location->open[depth - 1].number == number)
			return depth;
	return 0;
}

static void open_part(struct location *location, const struct convert_record *record,
    enum open_kind kind, enum convert_part part, uint64_t number)
{
	OTF2_RegionRef region = convert_region_ref(location->archive, record->argument, part);

	push(location, (struct open){.kind = kind,
			   .part = part,
			   .id = record->argument,
			   .region = region,
			   .comm = CONVERT_NONE,
			   .number = number});
	enter(location, region);
}

static void critical_begin(struct location *location, const struct convert_record *record)
{
	const struct convert_input *input = location->archive->input;
	uint32_t id = record->argument;
	uint32_t lock = id > 0 && id <= input->region_count ? input->regions[id - 1].head.lock : 0;

	lock -= lock > 0; /* OTF2 numbers locks from 0 */
	check(location, OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL, location->time,
			    OTF2_PARADIGM_OPENMP, lock, (uint32_t)record->payload[0]));
	open_part(location, record, OPEN_CRITICAL, PART_BLOCK, record->payload[0]);
	if (location->depth > 0)
		location->open[location->depth - 1].comm = lock;
}

static void fork_team(struct location *location, const struct convert_record *record)
{
	const struct convert_team *team =
	    convert_team_find(location->archive->teams, record->payload[0]);

	push(location, (struct open){.kind = OPEN_FORK, .number = record->payload[0]});
	check(location, OTF2_EvtWriter_ThreadFork(location->writer, NULL, location->time,
			    OTF2_PARADIGM_OPENMP, team != NULL ? team->size : 0));
}

static void begin_team(struct location *location, const struct convert_record *record)
{
	const struct convert_teams *teams = location->archive->teams;
	const struct convert_team *team = convert_team_find(teams, record->payload[0]);
	uint32_t comm = team != NULL ? team->comm : CONVERT_NONE;
	OTF2_RegionRef region =
	    convert_region_ref(location->archive, record->argument, PART_CONSTRUCT);

	close_to(location, find_number(location, OPEN_FORK, record->payload[0]));
	push(location, (struct open){.kind = OPEN_TEAM,
			   .id = record->argument,
			   .region = region,
			   .comm = comm,
			   .rank = comm != CONVERT_NONE
				       ? convert_comm_rank(&teams->comms[comm], location->number)
				       : 0,
			   .number = record->payload[0]});
	if (comm != CONVERT_NONE)
		check(location,
		    OTF2_EvtWriter_ThreadTeamBegin(location->writer, NULL, location->time, comm));
	enter(location, region);
}

static void end_team(struct location *location)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].kind == OPEN_TEAM) {
			close_to(location, depth - 1);
			return;
		}
}

static void create_task(struct location *location, const struct convert_record *record)
{
	open_part(location, record, OPEN_PLAIN, PART_CREATE, 0);
	const struct open *team = team_below(location, location->depth);
	if (team != NULL && team->comm != CONVERT_NONE)
		check(location,
		    OTF2_EvtWriter_ThreadTaskCreate(location->writer, NULL, location->time,
			team->comm, team->rank, (uint32_t)record->payload[0]));
}

static void begin_task(struct location *location, const struct convert_record *record)
{
	const struct open *team = team_below(location, location->depth);

	if (team != NULL && team->comm != CONVERT_NONE)
		check(location,
		    OTF2_EvtWriter_ThreadTaskSwitch(location->writer, NULL, location->time,
			team->comm, creator_of(location, team, record->payload[0]),
			(uint32_t)record->payload[0]));
	open_part(location, record, OPEN_TASK, PART_CONSTRUCT, record->payload[0]);
}

static void end_task(struct location *location, const struct convert_record *record)
{
	size_t depth = find_number(location, OPEN_TASK, record->payload[0]);

	if (depth == 0) { /* an untied task that began on another thread */
		complete_task(location, record->payload[0]);
		return;
	}
	close_to(location, depth);
	location->open[depth - 1].completed = true;
	close_top(location);
}

static void acquire_lock(struct location *location, const struct convert_record *record)
{
	if (record->argument == 0 || record->argument > location->archive->teams->lock_count)
		return;
	location->order[record->argument - 1] = (uint32_t)record->payload[0];
	check(location,
	    OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL, location->time,
		OTF2_PARADIGM_OPENMP, record->argument - 1, (uint32_t)record->payload[0]));
}

static void release_lock(struct location *location, const struct convert_record *record)
{
	if (record->argument == 0 || record->argument > location->archive->teams->lock_count ||
	    location->order[record->argument - 1] == 0)
		return;
	check(location,
	    OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, location->time,
		OTF2_PARADIGM_OPENMP, record->argument - 1, location->order[record->argument - 1]));
}

static void enter_routine(struct location *location, const struct convert_record *record)
{
	if (record->argument >= TRACE_LOG_ROUTINE_COUNT)
		return;
	OTF2_RegionRef region =
	    convert_routine_ref(location->archive, (enum trace_log_routine)record->argument);
	push(location,
	    (struct open){.kind = OPEN_ROUTINE, .id = record->argument, .region = region});
	enter(location, region);
}

/* What each plain record opens or closes; the others have a function of their own in
 * write_record(). */
static const struct {
	enum { NOT_PLAIN, OPENS, CLOSES } effect;
	enum convert_part part;
} plain[TRACE_LOG_KIND_COUNT] = {
    [TRACE_LOG_ENTER] = {OPENS, PART_CONSTRUCT},
    [TRACE_LOG_LEAVE] = {CLOSES, PART_CONSTRUCT},
    [TRACE_LOG_BARRIER_ENTER] = {OPENS, PART_BARRIER},
    [TRACE_LOG_BARRIER_LEAVE] = {CLOSES, PART_BARRIER},
    [TRACE_LOG_BLOCK_ENTER] = {OPENS, PART_BLOCK},
    [TRACE_LOG_BLOCK_LEAVE] = {CLOSES, PART_BLOCK},
    [TRACE_LOG_WAIT_ENTER] = {OPENS, PART_WAIT},
    [TRACE_LOG_WAIT_LEAVE] = {CLOSES, PART_WAIT},
    [TRACE_LOG_TASK_CREATED] = {CLOSES, PART_CREATE},
};

static void measurement(struct location *location, OTF2_MeasurementMode mode)
{
	check(location,
	    OTF2_EvtWriter_MeasurementOnOff(location->writer, NULL, location->time, mode));
}

static void write_record(struct location *location, const struct convert_record *record)
{
	switch (record->kind) {
	case TRACE_LOG_CRITICAL_BEGIN:
		critical_begin(location, record);
		break;
	case TRACE_LOG_CRITICAL_END:
		close_matching(location, OPEN_CRITICAL, PART_BLOCK, record->argument);
		break;
	case TRACE_LOG_FORK:
		fork_team(location, record);
		break;
	case TRACE_LOG_JOIN: {
		size_t depth = find_number(location, OPEN_FORK, record->payload[0]);
		if (depth > 0)
			close_to(location, depth - 1);
		break;
	}
	case TRACE_LOG_TEAM_BEGIN:
		begin_team(location, record);
		break;
	case TRACE_LOG_TEAM_END:
		end_team(location);
		break;
	case TRACE_LOG_TASK_CREATE:
		create_task(location, record);
		break;
	case TRACE_LOG_TASK_BEGIN:
		begin_task(location, record);
		break;
	case TRACE_LOG_TASK_END:
		end_task(location, record);
		break;
	case TRACE_LOG_LOCK_ENTER:
		enter_routine(location, record);
		break;
	case TRACE_LOG_LOCK_LEAVE:
		close_matching(location, OPEN_ROUTINE, PART_CONSTRUCT, record->argument);
		break;
	case TRACE_LOG_LOCK_ACQUIRED:
		acquire_lock(location, record);
		break;
	case TRACE_LOG_LOCK_RELEASED:
		release_lock(location, record);
		break;
	case TRACE_LOG_OFF:
		measurement(location, OTF2_MEASUREMENT_OFF);
		break;
	case TRACE_LOG_ON:
		measurement(location, OTF2_MEASUREMENT_ON);
		break;
	default:
		if (plain[record->kind].effect == OPENS)
			open_part(location, record, OPEN_PLAIN, plain[record->kind].part, 0);
		else if (plain[record->kind].effect == CLOSES)
			close_matching(
			    location, OPEN_PLAIN, plain[record->kind].part, record->argument);
		break;
	}
}

/* The program's own events, on the location of its first thread. */
static void begin_program(struct location *location)
{
	const struct convert_input *input = location->archive->input;
	OTF2_StringRef argument[64];
	uint32_t count = 0;
	const char *text = input->program;
	const char *end = text != NULL ? text + input->program_bytes : NULL;

	for (; text != NULL && text < end && *text != '\0' && count < 64; text += strlen(text) + 1)
		argument[count++] = convert_string(location->archive, text);
	location->time = input->process.start.ticks;
	check(location, OTF2_EvtWriter_ProgramBegin(location->writer, NULL, location->time,
			    count > 0 ? argument[0] : OTF2_UNDEFINED_STRING,
			    count > 0 ? count - 1 : 0, argument + (count > 0)));
}

void convert_write_events(struct convert_archive *archive, uint32_t number)
{
	struct convert_cursor cursor = convert_cursor_of(&archive->input->logs[number]);
	struct convert_record record;
	struct location location = {.archive = archive, .number = number};

	location.order = calloc(archive->teams->lock_count + 1, sizeof(*location.order));
	location.writer = OTF2_Archive_GetEvtWriter(archive->archive, number);
	if (location.order == NULL || location.writer == NULL) {
		convert_check(
		    archive, location.order == NULL ? OTF2_ERROR_ENOMEM : OTF2_ERROR_INVALID_CALL);
		free(location.order);
		return;
	}
	if (number == 0)
		begin_program(&location);
	while (archive->error == OTF2_SUCCESS && convert_next(&cursor, &record)) {
		if (record.time > location.time)
			location.time = record.time;
		write_record(&location, &record);
	}
	if (archive->end > location.time)
		location.time = archive->end;
	archive->closed += location.depth;
	close_to(&location, 0);
	if (number == 0)
		convert_check(archive, OTF2_EvtWriter_ProgramEnd(location.writer, NULL,
					   location.time, OTF2_UNDEFINED_INT64));
	convert_check(archive,
	    OTF2_EvtWriter_GetNumberOfEvents(location.writer, &archive->event_count[number]));
	convert_check(archive, OTF2_Archive_CloseEvtWriter(archive->archive, location.writer));
	free(location.order);
	free(location.open);
}
