/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One location's records become OTF2 events. A leaving record closes what stands above its partner,
 * and whatever is open when the log ends is closed there, so that every archive is balanced, killed
 * programs included.
 */
#include "location.h"

#include <stdlib.h>
#include <string.h>

static void open_part(struct convert_location *location, const struct convert_record *record,
    enum convert_open_kind kind, enum convert_part part, uint64_t number)
{
	OTF2_RegionRef region = convert_region_ref(location->archive, record->argument, part);

	convert_push(location, (struct convert_open){.kind = kind,
				   .part = part,
				   .id = record->argument,
				   .region = region,
				   .comm = CONVERT_NONE,
				   .number = number});
	convert_enter(location, region);
}

static void critical_begin(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_input *input = location->archive->input;
	uint32_t id = record->argument;
	uint32_t lock = id > 0 && id <= input->region_count ? input->regions[id - 1].head.lock : 0;

	uint32_t order = (uint32_t)record->payload[0];
	if (lock > 0 && lock <= location->archive->teams->lock_count) {
		if (record->kind == TRACE_LOG_CRITICAL_AGAIN)
			order = location->order[lock - 1] + 1;
		location->order[lock - 1] = order;
	}
	lock -= lock > 0; /* OTF2 numbers locks from 0 */
	convert_location_check(location, OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL,
					     location->time, OTF2_PARADIGM_OPENMP, lock, order));
	open_part(location, record, OPEN_CRITICAL, PART_BLOCK, order);
	if (location->depth > 0)
		location->open[location->depth - 1].comm = lock;
}

static void fork_team(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_team *team =
	    convert_team_find(location->archive->teams, record->payload[0]);

	convert_push(
	    location, (struct convert_open){.kind = OPEN_FORK, .number = record->payload[0]});
	convert_location_check(
	    location, OTF2_EvtWriter_ThreadFork(location->writer, NULL, location->time,
			  OTF2_PARADIGM_OPENMP, team != NULL ? team->size : 0));
}

static void begin_team(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_teams *teams = location->archive->teams;
	const struct convert_team *team = convert_team_find(teams, record->payload[0]);
	uint32_t comm = team != NULL ? team->comm : CONVERT_NONE;
	OTF2_RegionRef region =
	    convert_region_ref(location->archive, record->argument, PART_CONSTRUCT);

	convert_close_to(location, convert_find_number(location, OPEN_FORK, record->payload[0]));
	convert_push(
	    location, (struct convert_open){.kind = OPEN_TEAM,
			  .id = record->argument,
			  .region = region,
			  .comm = comm,
			  .rank = comm != CONVERT_NONE
				      ? convert_comm_rank(&teams->comms[comm], location->number)
				      : 0,
			  .number = record->payload[0]});
	if (comm != CONVERT_NONE)
		convert_location_check(location,
		    OTF2_EvtWriter_ThreadTeamBegin(location->writer, NULL, location->time, comm));
	convert_enter(location, region);
}

static void end_team(struct convert_location *location)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].kind == OPEN_TEAM) {
			convert_close_to(location, depth - 1);
			return;
		}
}

static void create_task(struct convert_location *location, const struct convert_record *record)
{
	uint64_t task =
	    record->kind == TRACE_LOG_TASK_CREATE ? record->payload[0] : location->task + 1;

	location->task = task;
	open_part(location, record, OPEN_PLAIN, PART_CREATE, task);
	const struct convert_open *team = convert_team_below(location, location->depth);
	if (team != NULL && team->comm != CONVERT_NONE)
		convert_location_check(
		    location, OTF2_EvtWriter_ThreadTaskCreate(location->writer, NULL,
				  location->time, team->comm, team->rank, (uint32_t)task));
}

/* The task whose creation is innermost: it begins within that. */
static uint64_t task_in_creation(const struct convert_location *location)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].part == PART_CREATE)
			return location->open[depth - 1].number;
	return 0;
}

static void begin_task(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_open *team = convert_team_below(location, location->depth);
	uint64_t task =
	    record->kind == TRACE_LOG_TASK_BEGIN ? record->payload[0] : task_in_creation(location);

	if (team != NULL && team->comm != CONVERT_NONE)
		convert_location_check(location,
		    OTF2_EvtWriter_ThreadTaskSwitch(location->writer, NULL, location->time,
			team->comm, convert_creator_of(location, team, task), (uint32_t)task));
	open_part(location, record, OPEN_TASK, PART_CONSTRUCT, task);
}

static void end_task(struct convert_location *location, const struct convert_record *record)
{
	size_t depth = record->kind == TRACE_LOG_TASK_END
			   ? convert_find_number(location, OPEN_TASK, record->payload[0])
			   : convert_find_innermost(location, OPEN_TASK);

	if (depth == 0 && record->kind == TRACE_LOG_TASK_END_HERE)
		return;   /* a damaged log */
	if (depth == 0) { /* an untied task that began on another thread */
		convert_complete_task(location, record->payload[0]);
		return;
	}
	convert_close_to(location, depth);
	location->open[depth - 1].completed = true;
	convert_close_top(location);
}

static void acquire_lock(struct convert_location *location, const struct convert_record *record)
{
	if (record->argument == 0 || record->argument > location->archive->teams->lock_count)
		return;
	uint32_t *order = &location->order[record->argument - 1];
	*order = record->kind == TRACE_LOG_LOCK_AGAIN ? *order + 1 : (uint32_t)record->payload[0];
	convert_location_check(
	    location, OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL, location->time,
			  OTF2_PARADIGM_OPENMP, record->argument - 1, *order));
}

static void release_lock(struct convert_location *location, const struct convert_record *record)
{
	if (record->argument == 0 || record->argument > location->archive->teams->lock_count ||
	    location->order[record->argument - 1] == 0)
		return;
	convert_location_check(location,
	    OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, location->time,
		OTF2_PARADIGM_OPENMP, record->argument - 1, location->order[record->argument - 1]));
}

static void enter_routine(struct convert_location *location, const struct convert_record *record)
{
	if (record->argument >= TRACE_LOG_ROUTINE_COUNT)
		return;
	OTF2_RegionRef region =
	    convert_routine_ref(location->archive, (enum trace_log_routine)record->argument);
	convert_push(location,
	    (struct convert_open){.kind = OPEN_ROUTINE, .id = record->argument, .region = region});
	convert_enter(location, region);
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

static void measurement(struct convert_location *location, OTF2_MeasurementMode mode)
{
	convert_location_check(location,
	    OTF2_EvtWriter_MeasurementOnOff(location->writer, NULL, location->time, mode));
}

static void note_metrics(struct convert_location *location, const struct convert_record *record)
{
	if (record->argument != location->archive->input->metric_count)
		return;
	memcpy(location->metric, record->values, record->argument * sizeof(*location->metric));
	location->metrics_known = true;
}

static void write_record(struct convert_location *location, const struct convert_record *record)
{
	switch (record->kind) {
	case TRACE_LOG_CRITICAL_BEGIN:
	case TRACE_LOG_CRITICAL_AGAIN:
		critical_begin(location, record);
		break;
	case TRACE_LOG_CRITICAL_END:
		convert_close_matching(location, OPEN_CRITICAL, PART_BLOCK, record->argument);
		break;
	case TRACE_LOG_FORK:
		fork_team(location, record);
		break;
	case TRACE_LOG_JOIN: {
		size_t depth = convert_find_number(location, OPEN_FORK, record->payload[0]);
		if (depth > 0)
			convert_close_to(location, depth - 1);
		break;
	}
	case TRACE_LOG_TEAM_BEGIN:
		begin_team(location, record);
		break;
	case TRACE_LOG_TEAM_END:
		end_team(location);
		break;
	case TRACE_LOG_TASK_CREATE:
	case TRACE_LOG_TASK_CREATE_NEXT:
		create_task(location, record);
		break;
	case TRACE_LOG_TASK_BEGIN:
	case TRACE_LOG_TASK_BEGIN_HERE:
		begin_task(location, record);
		break;
	case TRACE_LOG_TASK_END:
	case TRACE_LOG_TASK_END_HERE:
		end_task(location, record);
		break;
	case TRACE_LOG_LOCK_ENTER:
		enter_routine(location, record);
		break;
	case TRACE_LOG_LOCK_LEAVE:
		convert_close_matching(location, OPEN_ROUTINE, PART_CONSTRUCT, record->argument);
		break;
	case TRACE_LOG_LOCK_ACQUIRED:
	case TRACE_LOG_LOCK_AGAIN:
		acquire_lock(location, record);
		break;
	case TRACE_LOG_LOCK_RELEASED:
		release_lock(location, record);
		break;
	case TRACE_LOG_METRICS:
		note_metrics(location, record);
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
			convert_close_matching(
			    location, OPEN_PLAIN, plain[record->kind].part, record->argument);
		break;
	}
}

/* The program's own events, on the location of its first thread. */
static void begin_program(struct convert_location *location)
{
	const struct convert_input *input = location->archive->input;
	OTF2_StringRef argument[64];
	uint32_t count = 0;
	const char *text = input->program;
	const char *end = text != NULL ? text + input->program_bytes : NULL;

	for (; text != NULL && text < end && *text != '\0' && count < 64; text += strlen(text) + 1)
		argument[count++] = convert_string(location->archive, text);
	location->time = input->process.start.ticks;
	convert_location_check(
	    location, OTF2_EvtWriter_ProgramBegin(location->writer, NULL, location->time,
			  count > 0 ? argument[0] : OTF2_UNDEFINED_STRING,
			  count > 0 ? count - 1 : 0, argument + (count > 0)));
}

void convert_write_events(struct convert_archive *archive, uint32_t number)
{
	struct convert_cursor cursor = convert_cursor_of(&archive->input->logs[number]);
	struct convert_record record;
	struct convert_location location = {.archive = archive, .number = number};

	location.task = (archive->input->logs[number].location + 1) << TRACE_LOG_TASK_SHIFT;
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
	convert_close_to(&location, 0);
	if (number == 0)
		convert_check(archive, OTF2_EvtWriter_ProgramEnd(location.writer, NULL,
					   location.time, OTF2_UNDEFINED_INT64));
	convert_check(archive,
	    OTF2_EvtWriter_GetNumberOfEvents(location.writer, &archive->event_count[number]));
	convert_check(archive, OTF2_Archive_CloseEvtWriter(archive->archive, location.writer));
	free(location.order);
	free(location.open);
}
