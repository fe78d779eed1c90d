/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of all locations as one stream. Each location has its own OTF2 reader and a buffer
 * that it refills when it runs empty; a heap of the locations, ordered by the time of their next
 * event, merges them. This takes half the time of the OTF2 library's own merging reader, and a
 * location that is damaged ends alone.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "archive-parts.h"
#include "memory.h"

#define BUFFER_EVENTS 1024

const char *const archive_event_names[EVENT_KINDS] = {
    [EVENT_ENTER] = "enter",
    [EVENT_LEAVE] = "leave",
    [EVENT_FORK] = "thread fork",
    [EVENT_JOIN] = "thread join",
    [EVENT_TEAM_BEGIN] = "team begin",
    [EVENT_TEAM_END] = "team end",
    [EVENT_ACQUIRE] = "acquire lock",
    [EVENT_RELEASE] = "release lock",
    [EVENT_TASK_CREATE] = "task create",
    [EVENT_TASK_SWITCH] = "task switch",
    [EVENT_TASK_COMPLETE] = "task complete",
    [EVENT_PROGRAM_BEGIN] = "program begin",
    [EVENT_PROGRAM_END] = "program end",
    [EVENT_METRIC] = "metric",
    [EVENT_BUFFER_FLUSH] = "buffer flush",
    [EVENT_PARAMETER] = "parameter",
};

/* One location's reader and the events it read ahead. */
struct source {
	struct archive *archive;
	uint32_t location;
	OTF2_EvtReader *reader; /* NULL: at its end */
	size_t next, count;
	struct archive_event events[BUFFER_EVENTS];
};

static struct archive_event *add_event(
    void *context, OTF2_TimeStamp time, enum archive_event_kind kind)
{
	struct source *source = context;
	struct archive_event *event = &source->events[source->count++];

	*event = (struct archive_event){.time = time, .location = source->location, .kind = kind};
	return event;
}

/* The part of the signature that all event callbacks share. */
#define EVENT                                                                                      \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,          \
	    OTF2_AttributeList *attributes
#define UNUSED_EVENT (void)location, (void)position, (void)attributes

#define ARCHIVE_OF(context) (((struct source *)(context))->archive)

static OTF2_CallbackCode on_enter(EVENT, OTF2_RegionRef region)
{
	UNUSED_EVENT;
	add_event(context, time, EVENT_ENTER)->subject =
	    archive_index(&ARCHIVE_OF(context)->region_of, region);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(EVENT, OTF2_RegionRef region)
{
	UNUSED_EVENT;
	add_event(context, time, EVENT_LEAVE)->subject =
	    archive_index(&ARCHIVE_OF(context)->region_of, region);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_fork(EVENT, OTF2_Paradigm model, uint32_t requested)
{
	UNUSED_EVENT, (void)model, (void)requested;
	add_event(context, time, EVENT_FORK);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_join(EVENT, OTF2_Paradigm model)
{
	UNUSED_EVENT, (void)model;
	add_event(context, time, EVENT_JOIN);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_team_begin(EVENT, OTF2_CommRef comm)
{
	UNUSED_EVENT;
	add_event(context, time, EVENT_TEAM_BEGIN)->subject =
	    archive_index(&ARCHIVE_OF(context)->comm_of, comm);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_team_end(EVENT, OTF2_CommRef comm)
{
	UNUSED_EVENT;
	add_event(context, time, EVENT_TEAM_END)->subject =
	    archive_index(&ARCHIVE_OF(context)->comm_of, comm);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_acquire(EVENT, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	UNUSED_EVENT, (void)model, (void)order;
	add_event(context, time, EVENT_ACQUIRE)->subject = lock;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_release(EVENT, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	UNUSED_EVENT, (void)model, (void)order;
	add_event(context, time, EVENT_RELEASE)->subject = lock;
	return OTF2_CALLBACK_SUCCESS;
}

static void add_task_event(void *context, OTF2_TimeStamp time, enum archive_event_kind kind,
    OTF2_CommRef team, uint32_t creator, uint32_t generation)
{
	struct archive_event *event = add_event(context, time, kind);

	event->subject = archive_index(&ARCHIVE_OF(context)->comm_of, team);
	event->creator = creator;
	event->generation = generation;
}

static OTF2_CallbackCode on_task_create(
    EVENT, OTF2_CommRef team, uint32_t creator, uint32_t generation)
{
	UNUSED_EVENT;
	add_task_event(context, time, EVENT_TASK_CREATE, team, creator, generation);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_task_switch(
    EVENT, OTF2_CommRef team, uint32_t creator, uint32_t generation)
{
	UNUSED_EVENT;
	add_task_event(context, time, EVENT_TASK_SWITCH, team, creator, generation);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_task_complete(
    EVENT, OTF2_CommRef team, uint32_t creator, uint32_t generation)
{
	UNUSED_EVENT;
	add_task_event(context, time, EVENT_TASK_COMPLETE, team, creator, generation);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_program_begin(
    EVENT, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments)
{
	struct archive *archive = ARCHIVE_OF(context);

	UNUSED_EVENT;
	add_event(context, time, EVENT_PROGRAM_BEGIN);
	/* The first rank's name and arguments stand for all. */
	if (archive->program)
		return OTF2_CALLBACK_SUCCESS;
	archive->program = archive_string(archive, name);
	archive->arguments = memory_new(count, sizeof(archive->arguments[0]));
	for (uint32_t i = 0; i < count; i++)
		archive->arguments[archive->argument_count++] =
		    archive_string(archive, arguments[i]);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_program_end(EVENT, int64_t status)
{
	UNUSED_EVENT, (void)status;
	add_event(context, time, EVENT_PROGRAM_END);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(EVENT, OTF2_MetricRef metric, uint8_t count,
    const OTF2_Type *types, const OTF2_MetricValue *values)
{
	UNUSED_EVENT, (void)metric, (void)count, (void)types, (void)values;
	add_event(context, time, EVENT_METRIC);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_buffer_flush(EVENT, OTF2_TimeStamp stop)
{
	UNUSED_EVENT, (void)stop;
	add_event(context, time, EVENT_BUFFER_FLUSH);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter_string(
    EVENT, OTF2_ParameterRef parameter, OTF2_StringRef value)
{
	UNUSED_EVENT, (void)parameter, (void)value;
	add_event(context, time, EVENT_PARAMETER);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter_int(EVENT, OTF2_ParameterRef parameter, int64_t value)
{
	UNUSED_EVENT, (void)parameter, (void)value;
	add_event(context, time, EVENT_PARAMETER);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter_unsigned(EVENT, OTF2_ParameterRef parameter, uint64_t value)
{
	UNUSED_EVENT, (void)parameter, (void)value;
	add_event(context, time, EVENT_PARAMETER);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *new_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
	OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
	OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
	OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
	OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
	OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
	OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
	OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
	OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
	OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
	OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
	OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
	OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_buffer_flush);
	OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_parameter_string);
	OTF2_EvtReaderCallbacks_SetParameterIntCallback(callbacks, on_parameter_int);
	OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, on_parameter_unsigned);
	return callbacks;
}

/* Every location keeps a file open: allow as many as the system does. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void end_source(struct source *source)
{
	OTF2_Reader_CloseEvtReader(source->archive->reader, source->reader);
	source->reader = NULL;
}

/*
 * Reads on until at least one event is there or the location is at its end. Kinds without a
 * callback are read and counted by the library, but give no event.
 */
static void refill(struct source *source)
{
	struct archive *archive = source->archive;
	struct archive_location *location = &archive->locations[source->location];

	source->next = source->count = 0;
	while (source->reader && source->count == 0) {
		uint64_t read = 0;
		OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(
		    archive->reader, source->reader, BUFFER_EVENTS, &read);

		/* When a read fails, read may be unset although events came before. */
		if (read < source->count)
			read = source->count;
		location->events_read += read;
		location->events_skipped += read - source->count;
		archive->events += read;
		if (code != OTF2_SUCCESS) {
			location->truncated = true;
			archive_warn(archive,
			    "truncated in %s after %llu events (%s); the report covers what was "
			    "readable",
			    location->name, (unsigned long long)location->events_read,
			    OTF2_Error_GetDescription(code));
			end_source(source);
		} else if (read < BUFFER_EVENTS) {
			if (location->events_read < location->events_announced)
				archive_warn(archive,
				    "%s has %llu events, but %llu were announced; the report "
				    "covers those "
				    "that are there",
				    location->name, (unsigned long long)location->events_read,
				    (unsigned long long)location->events_announced);
			end_source(source);
		}
	}
}

static bool is_before(const struct source *one, const struct source *other)
{
	uint64_t first = one->events[one->next].time, second = other->events[other->next].time;

	return first != second ? first < second : one->location < other->location;
}

static void sift_down(struct source **heap, size_t count, size_t at)
{
	struct source *moved = heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && is_before(heap[child + 1], heap[child]))
			child++;
		if (is_before(moved, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static void merge(struct source **heap, size_t count,
    void (*consume)(void *context, const struct archive_event *event), void *context)
{
	for (size_t at = count / 2; at-- > 0;)
		sift_down(heap, count, at);
	while (count > 0) {
		struct source *first = heap[0];

		consume(context, &first->events[first->next++]);
		if (first->next == first->count)
			refill(first);
		if (first->count == 0)
			heap[0] = heap[--count];
		if (count > 0)
			sift_down(heap, count, 0);
	}
}

/* Local definitions hold the mapping of ids and the clock corrections that the event reader
 * applies. */
static void read_local_definitions(struct archive *archive, const struct archive_location *location)
{
	OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive->reader, location->ref);
	uint64_t read;

	if (!reader)
		return;
	OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &read);
	OTF2_Reader_CloseDefReader(archive->reader, reader);
}

static struct source *open_source(
    struct archive *archive, uint32_t index, OTF2_EvtReaderCallbacks *callbacks)
{
	struct archive_location *location = &archive->locations[index];
	struct source *source = memory_new(1, sizeof(*source));

	source->archive = archive;
	source->location = index;
	source->reader = OTF2_Reader_GetEvtReader(archive->reader, location->ref);
	if (!source->reader) {
		if (location->events_announced > 0)
			archive_warn(archive,
			    "the events of %s cannot be read (%s); it is left out", location->name,
			    archive->last_error ? archive->last_error : "no reason given");
		location->truncated = location->events_announced > 0;
		return source;
	}
	OTF2_Reader_RegisterEvtCallbacks(archive->reader, source->reader, callbacks, source);
	refill(source);
	return source;
}

void archive_for_each_event(struct archive *archive,
    void (*consume)(void *context, const struct archive_event *event), void *context)
{
	OTF2_EvtReaderCallbacks *callbacks = new_callbacks();
	struct source **sources = memory_new(archive->location_count, sizeof(sources[0]));
	struct source **heap = memory_new(archive->location_count, sizeof(heap[0]));
	size_t count = 0;

	allow_many_files();
	for (size_t i = 0; i < archive->location_count; i++)
		OTF2_Reader_SelectLocation(archive->reader, archive->locations[i].ref);
	if (OTF2_Reader_OpenDefFiles(archive->reader) == OTF2_SUCCESS) {
		for (size_t i = 0; i < archive->location_count; i++)
			read_local_definitions(archive, &archive->locations[i]);
		OTF2_Reader_CloseDefFiles(archive->reader);
	}
	OTF2_Reader_OpenEvtFiles(archive->reader);
	for (size_t i = 0; i < archive->location_count; i++) {
		sources[i] = open_source(archive, (uint32_t)i, callbacks);
		if (sources[i]->count > 0)
			heap[count++] = sources[i];
	}
	merge(heap, count, consume, context);
	OTF2_Reader_CloseEvtFiles(archive->reader);
	for (size_t i = 0; i < archive->location_count; i++)
		free(sources[i]);
	free(sources);
	free(heap);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}
