/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns one location's records into OTF2 events. A leaving record closes whatever is above its
 * partner. Everything that is still open when the log ends is closed there, so that every archive
 * is balanced, even for killed programs.
 */
#include "location.h"
#include "mpi-events.h"
#include "shared/array.h"
#include "shared/precondition.h"

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

/* Writes that the location has the lock. Returns the acquisition number, 0 when memory ran out. */
static uint32_t acquire(
    struct convert_location *location, const struct convert_record *record, uint32_t lock)
{
	uint64_t *order = convert_numbers_make(&location->order, lock);
	bool again =
	    record->kind == TRACE_LOG_CRITICAL_AGAIN || record->kind == TRACE_LOG_LOCK_AGAIN;

	if (order == NULL) {
		convert_location_check(location, OTF2_ERROR_ENOMEM);
		return 0;
	}
	*order = again ? *order + 1 : record->payload[0];
	convert_location_check(location,
	    OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL, location->time,
		OTF2_PARADIGM_OPENMP, lock - 1 + location->archive->lock_base, (uint32_t)*order));
	return (uint32_t)*order;
}

static void begin_critical(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_input *input = location->archive->input;
	uint32_t id = record->argument;
	uint32_t lock = id > 0 && id <= input->region_count ? input->regions[id - 1].head.lock : 0;
	uint32_t order = 0;

	bool numbered = record->kind == TRACE_LOG_CRITICAL_AGAIN || record->payload[0] != 0;
	if (lock != 0 && lock <= location->archive->teams->lock_count && numbered) {
		order = acquire(location, record, lock);
		lock += location->archive->lock_base - 1;
	} else { /* undefined, without a number, or there was no memory for it */
		lock = CONVERT_NONE;
	}
	open_part(location, record, OPEN_CRITICAL, PART_BLOCK, order);
	if (location->depth > 0)
		location->open[location->depth - 1].comm = lock;
}

static void end_critical(struct convert_location *location, const struct convert_record *record)
{
	convert_close_matching(location, OPEN_CRITICAL, PART_BLOCK, record->argument);
}

static void fork_team(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_team *team =
	    convert_team_find(location->archive->teams, record->payload[0], &location->near);

	convert_push(
	    location, (struct convert_open){.kind = OPEN_FORK, .number = record->payload[0]});
	convert_location_check(
	    location, OTF2_EvtWriter_ThreadFork(location->writer, NULL, location->time,
			  OTF2_PARADIGM_OPENMP, team != NULL ? team->size : 0));
}

static void join_team(struct convert_location *location, const struct convert_record *record)
{
	size_t depth = convert_find_number(location, OPEN_FORK, record->payload[0]);

	if (depth > 0)
		convert_close_to(location, depth - 1);
}

static void begin_team(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_teams *teams = location->archive->teams;
	const struct convert_team *team =
	    convert_team_find(teams, record->payload[0], &location->near);
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

static void end_team(struct convert_location *location, const struct convert_record *record)
{
	size_t depth = convert_find_innermost(location, OPEN_TEAM);

	(void)record;
	if (depth > 0)
		convert_close_to(location, depth - 1);
}

static void create_task(struct convert_location *location, const struct convert_record *record)
{
	uint64_t task =
	    record->kind == TRACE_LOG_TASK_CREATE ? record->payload[0] : location->task + 1;

	location->task = task;
	open_part(location, record, OPEN_CREATE, PART_CREATE, task);
	const struct convert_open *team = convert_team_below(location, location->depth);
	if (team != NULL && team->comm != CONVERT_NONE)
		convert_location_check(
		    location, OTF2_EvtWriter_ThreadTaskCreate(location->writer, NULL,
				  location->time, team->comm, team->rank, (uint32_t)task));
}

static void created_task(struct convert_location *location, const struct convert_record *record)
{
	convert_close_matching(location, OPEN_CREATE, PART_CREATE, record->argument);
}

/* A task that begins here is the one in the innermost open creation. */
static void begin_task(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_open *team = convert_team_below(location, location->depth);
	size_t creation = convert_find_innermost(location, OPEN_CREATE);
	uint64_t task = creation > 0 ? location->open[creation - 1].number : 0;

	if (record->kind == TRACE_LOG_TASK_BEGIN)
		task = record->payload[0];
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

static void suspend_task(struct convert_location *location, const struct convert_record *record)
{
	size_t depth = convert_find_innermost(location, OPEN_TASK);

	(void)record;
	if (depth > 0)
		convert_close_to(location, depth - 1);
}

static void acquire_lock(struct convert_location *location, const struct convert_record *record)
{
	if (record->argument != 0)
		acquire(location, record, record->argument);
}

static void release_lock(struct convert_location *location, const struct convert_record *record)
{
	const uint64_t *order = convert_numbers_find(&location->order, record->argument);

	if (order == NULL || *order == 0)
		return;
	convert_location_check(
	    location, OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, location->time,
			  OTF2_PARADIGM_OPENMP, record->argument - 1 + location->archive->lock_base,
			  (uint32_t)*order));
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

static void leave_routine(struct convert_location *location, const struct convert_record *record)
{
	convert_close_matching(location, OPEN_ROUTINE, PART_CONSTRUCT, record->argument);
}

static void measurement(struct convert_location *location, const struct convert_record *record)
{
	OTF2_MeasurementMode mode =
	    record->kind == TRACE_LOG_ON ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF;

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

/* The class of the program's metrics, if there is one, comes before those of our own. */
static OTF2_MetricRef own_class(const struct convert_location *location, enum convert_class class)
{
	return (location->archive->input->metric_count > 0) + (OTF2_MetricRef) class;
}

/* Writes the sums so far: the times in nanoseconds, the page faults as they are. */
static void write_usage(struct convert_location *location, const struct convert_record *record)
{
	static const OTF2_Type types[TRACE_USAGE_VALUES] = {
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const struct convert_archive *archive = location->archive;
	OTF2_MetricValue values[TRACE_USAGE_VALUES];

	for (unsigned i = 0; i < TRACE_USAGE_VALUES; i++) {
		location->usage[i] += record->payload[i];
		values[i].unsigned_int = i == TRACE_USAGE_FAULTS
					     ? location->usage[i]
					     : (uint64_t)((double)location->usage[i] * 1e9 /
							  (double)archive->ticks_per_second);
	}
	store_relaxed(&location->archive->has_usage, true);
	location->beside++;
	convert_location_check(location,
	    OTF2_EvtWriter_Metric(location->writer, NULL, location->time,
		own_class(location, CONVERT_CLASS_USAGE), TRACE_USAGE_VALUES, types, values));
}

/* The times in nanoseconds, the iterations as they are. */
static void write_mark(struct convert_location *location, const struct convert_record *record)
{
	static const OTF2_Type types[LOOP_MARK_VALUES] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const double tick = 1e9 / (double)location->archive->ticks_per_second;
	OTF2_MetricValue values[LOOP_MARK_VALUES];

	values[LOOP_MARK_SCHEDULE].unsigned_int = record->argument;
	for (unsigned i = 0; i < LOOP_MARK_SCHEDULE; i++)
		values[i].unsigned_int = i == LOOP_MARK_TIME || i == LOOP_MARK_GRAIN
					     ? (uint64_t)((double)record->payload[i] * tick)
					     : record->payload[i];
	store_relaxed(&location->archive->has_marks, true);
	location->beside++;
	convert_location_check(location,
	    OTF2_EvtWriter_Metric(location->writer, NULL, location->time,
		own_class(location, CONVERT_CLASS_MARKS), LOOP_MARK_VALUES, types, values));
}

/* Keeps the counts for the sample that follows. All of a process are of the same counters. */
static void keep_counts(struct convert_location *location, const struct convert_record *record)
{
	uint64_t known = 0, counters = record->argument;
	bool is_set = sample_counters_number(counters) <= SAMPLE_COUNTERS_MOST &&
		      counters < 1 << SAMPLE_COUNTER_COUNT;

	location->counted.counters = 0;
	if (counters == 0 || !is_set ||
	    (!replace_once(&location->archive->counters, &known, counters) && known != counters))
		return;
	location->counted.counters = counters;
	memcpy(location->counted.counted, record->payload, sizeof(location->counted.counted));
}

/* Writes the sums so far. */
static void write_counts(struct convert_location *location, const struct convert_sample *sample)
{
	static const OTF2_Type types[SAMPLE_COUNTERS_MOST] = {
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	OTF2_MetricValue values[SAMPLE_COUNTERS_MOST];
	unsigned count = sample_counters_number(sample->counters);

	if (count == 0)
		return;
	for (unsigned i = 0; i < count; i++) {
		location->sums[i] += sample->counted[i];
		values[i].unsigned_int = location->sums[i];
	}
	location->beside++;
	convert_location_check(location,
	    OTF2_EvtWriter_Metric(location->writer, NULL, location->time,
		own_class(location, CONVERT_CLASS_COUNTERS), (uint8_t)count, types, values));
}

/*
 * Keeps a sample until the next record shows how late it can have been: an event that libpomp
 * learns of after it happened comes after samples that were taken meanwhile. A sample whose path is
 * not known is left out: the program was killed, or there was no room.
 */
static void keep_sample(
    struct convert_location *location, const struct convert_record *record, uint64_t time)
{
	uint64_t sample = record->payload[0];
	struct convert_sample kept = location->counted;

	location->counted.counters = 0;
	kept.time = time;
	kept.context = convert_paths_context(&location->archive->input->paths,
	    trace_log_sample_tree(sample), trace_log_sample_node(sample));
	kept.count = trace_log_sample_count(sample);
	kept.generator =
	    trace_log_sample_faults(sample) ? TRACE_GENERATOR_FAULT : TRACE_GENERATOR_RUNNING;
	if (kept.context != CONVERT_NO_CONTEXT &&
	    !ARRAY_PUSH(location->samples, location->sample_count, location->sample_room, kept))
		convert_location_check(location, OTF2_ERROR_ENOMEM);
}

static void write_sample(
    struct convert_location *location, uint32_t context, OTF2_InterruptGeneratorRef generator)
{
	location->beside++;
	convert_location_check(
	    location, OTF2_EvtWriter_CallingContextSample(location->writer, NULL, location->time,
			  context, OTF2_UNDEFINED_UINT32, generator));
}

/* Writes the samples that were kept, none later than `latest`. */
static void write_samples(struct convert_location *location, uint64_t latest)
{
	for (size_t i = 0; i < location->sample_count; i++) {
		const struct convert_sample *sample = &location->samples[i];
		uint64_t time = sample->time < latest ? sample->time : latest;
		if (time > location->time)
			location->time = time;
		write_counts(location, sample);
		for (uint32_t n = 0; n < sample->count; n++)
			write_sample(location, sample->context, sample->generator);
		if (sample->count == 0 && sample->counters != 0)
			write_sample(location, sample->context, TRACE_GENERATOR_COUNTED);
	}
	location->sample_count = 0;
}

/* As many samples as the thread was seen there. A call that is not known is left out. */
static void write_blocked(struct convert_location *location, const struct convert_record *record)
{
	uint32_t context = convert_paths_call(&location->archive->input->paths, record->payload[0]);
	uint64_t count =
	    record->payload[1] < TRACE_LOG_BLOCKED_MAX ? record->payload[1] : TRACE_LOG_BLOCKED_MAX;

	if (context == CONVERT_NO_CONTEXT)
		return;
	for (uint64_t n = 0; n < count; n++)
		write_sample(location, context, TRACE_GENERATOR_BLOCKED);
}

static enum convert_part part_of(enum trace_log_kind kind)
{
	switch (kind) {
	case TRACE_LOG_BARRIER_ENTER:
	case TRACE_LOG_BARRIER_LEAVE:
		return PART_BARRIER;
	case TRACE_LOG_BLOCK_ENTER:
	case TRACE_LOG_BLOCK_LEAVE:
		return PART_BLOCK;
	case TRACE_LOG_WAIT_ENTER:
	case TRACE_LOG_WAIT_LEAVE:
		return PART_WAIT;
	default:
		return PART_CONSTRUCT;
	}
}

static void open_plain(struct convert_location *location, const struct convert_record *record)
{
	open_part(location, record, OPEN_PLAIN, part_of(record->kind), 0);
}

static void close_plain(struct convert_location *location, const struct convert_record *record)
{
	convert_close_matching(location, OPEN_PLAIN, part_of(record->kind), record->argument);
}

/* What to write for each kind of record; nothing for kinds without a function. */
static void (*const writers[TRACE_LOG_KIND_COUNT])(
    struct convert_location *location, const struct convert_record *record) = {
    [TRACE_LOG_ENTER] = open_plain,
    [TRACE_LOG_LEAVE] = close_plain,
    [TRACE_LOG_BARRIER_ENTER] = open_plain,
    [TRACE_LOG_BARRIER_LEAVE] = close_plain,
    [TRACE_LOG_BLOCK_ENTER] = open_plain,
    [TRACE_LOG_BLOCK_LEAVE] = close_plain,
    [TRACE_LOG_WAIT_ENTER] = open_plain,
    [TRACE_LOG_WAIT_LEAVE] = close_plain,
    [TRACE_LOG_CRITICAL_BEGIN] = begin_critical,
    [TRACE_LOG_CRITICAL_AGAIN] = begin_critical,
    [TRACE_LOG_CRITICAL_END] = end_critical,
    [TRACE_LOG_FORK] = fork_team,
    [TRACE_LOG_JOIN] = join_team,
    [TRACE_LOG_TEAM_BEGIN] = begin_team,
    [TRACE_LOG_TEAM_END] = end_team,
    [TRACE_LOG_TASK_CREATE] = create_task,
    [TRACE_LOG_TASK_CREATE_NEXT] = create_task,
    [TRACE_LOG_TASK_CREATED] = created_task,
    [TRACE_LOG_TASK_BEGIN] = begin_task,
    [TRACE_LOG_TASK_BEGIN_HERE] = begin_task,
    [TRACE_LOG_TASK_END] = end_task,
    [TRACE_LOG_TASK_END_HERE] = end_task,
    [TRACE_LOG_TASK_SUSPEND] = suspend_task,
    [TRACE_LOG_LOCK_ENTER] = enter_routine,
    [TRACE_LOG_LOCK_LEAVE] = leave_routine,
    [TRACE_LOG_LOCK_ACQUIRED] = acquire_lock,
    [TRACE_LOG_LOCK_AGAIN] = acquire_lock,
    [TRACE_LOG_LOCK_RELEASED] = release_lock,
    [TRACE_LOG_METRICS] = note_metrics,
    [TRACE_LOG_USAGE] = write_usage,
    [TRACE_LOG_MARK] = write_mark,
    [TRACE_LOG_BLOCKED] = write_blocked,
    [TRACE_LOG_OFF] = measurement,
    [TRACE_LOG_ON] = measurement,
    [TRACE_LOG_PARAMETER] = convert_parameter,
    [TRACE_LOG_MPI_SEND] = convert_mpi_record,
    [TRACE_LOG_MPI_RECEIVE] = convert_mpi_record,
    [TRACE_LOG_MPI_ISEND] = convert_mpi_record,
    [TRACE_LOG_MPI_ISEND_DONE] = convert_mpi_record,
    [TRACE_LOG_MPI_IRECEIVE_BEGIN] = convert_mpi_record,
    [TRACE_LOG_MPI_IRECEIVE] = convert_mpi_record,
    [TRACE_LOG_MPI_REQUEST_TEST] = convert_mpi_record,
    [TRACE_LOG_MPI_REQUEST_CANCELLED] = convert_mpi_record,
    [TRACE_LOG_MPI_COLLECTIVE_BEGIN] = convert_mpi_record,
    [TRACE_LOG_MPI_COLLECTIVE_END] = convert_mpi_record,
    [TRACE_LOG_MPI_COLLECTIVE_REQUEST] = convert_mpi_record,
    [TRACE_LOG_MPI_COLLECTIVE_DONE] = convert_mpi_record,
};

/*
 * Writes the program's begin, on the location of its first thread: its name and as many arguments
 * as an event has room for.
 */
static void begin_program(struct convert_location *location)
{
	const struct convert_input *input = location->archive->input;
	size_t known = convert_count_words(input);
	uint32_t count = (uint32_t)(known < CONVERT_MOST_WORDS ? known : CONVERT_MOST_WORDS);
	OTF2_StringRef *words = malloc((count + 1) * sizeof(*words));
	const char *next = input->program;

	if (words == NULL) {
		convert_location_check(location, OTF2_ERROR_ENOMEM);
		return;
	}
	words[0] = OTF2_UNDEFINED_STRING;
	for (uint32_t i = 0; i < count; i++)
		words[i] = convert_string(location->archive,
		    convert_take_text(&next, input->program + input->program_bytes));
	location->time = convert_time(location->archive, input->begin);
	convert_location_check(
	    location, OTF2_EvtWriter_ProgramBegin(location->writer, NULL, location->time, words[0],
			  count > 0 ? count - 1 : 0, words + 1));
	free(words);
}

void convert_write_events(struct convert_archive *archive, uint32_t number)
{
	CHECK(number < archive->input->log_count, "the rank has the location");

	struct convert_cursor cursor = convert_cursor_of(&archive->input->logs[number]);
	struct convert_record record;
	struct convert_location location = {.archive = archive, .number = number};

	location.task = (archive->input->logs[number].location + 1) << TRACE_LOG_TASK_SHIFT;
	location.writer =
	    OTF2_Archive_GetEvtWriter(archive->archive, archive->location_base + number);
	if (location.writer == NULL) {
		convert_check(archive, OTF2_ERROR_INVALID_CALL);
		return;
	}
	if (number == 0)
		begin_program(&location);
	while (archive->error == OTF2_SUCCESS && !convert_output_failed(archive->output) &&
	       convert_next(&cursor, &record)) {
		uint64_t time = convert_time(archive, record.time);
		if (record.kind == TRACE_LOG_SAMPLE)
			keep_sample(&location, &record, convert_time(archive, record.payload[1]));
		if (record.kind == TRACE_LOG_COUNTED)
			keep_counts(&location, &record);
		if (record.kind == TRACE_LOG_SAMPLE || record.kind == TRACE_LOG_PATH ||
		    record.kind == TRACE_LOG_COUNTED)
			continue;
		write_samples(&location, time);
		if (time > location.time)
			location.time = time;
		if (writers[record.kind] != NULL)
			writers[record.kind](&location, &record);
	}
	write_samples(&location, convert_time(archive, archive->end));
	if (convert_time(archive, archive->end) > location.time)
		location.time = convert_time(archive, archive->end);
	archive->closed += location.depth;
	archive->beside += location.beside;
	convert_close_to(&location, 0);
	if (number == 0)
		convert_check(archive, OTF2_EvtWriter_ProgramEnd(location.writer, NULL,
					   location.time, OTF2_UNDEFINED_INT64));
	convert_check(archive,
	    OTF2_EvtWriter_GetNumberOfEvents(location.writer, &archive->event_count[number]));
	convert_check(archive, OTF2_Archive_CloseEvtWriter(archive->archive, location.writer));
	convert_numbers_free(&location.order);
	free(location.open);
	free(location.samples);
}
