/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the OTF2 library calls for each event: puts it, in our form, into the buffer of its
 * location. Kinds of events that have no callback here are read and skipped by the library.
 */
#include "archive-parts.h"
#include "memory.h"

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
    [EVENT_MPI_SEND] = "MPI send",
    [EVENT_MPI_ISEND] = "MPI nonblocking send",
    [EVENT_MPI_ISEND_COMPLETE] = "MPI send complete",
    [EVENT_MPI_IRECV_REQUEST] = "MPI receive request",
    [EVENT_MPI_RECV] = "MPI receive",
    [EVENT_MPI_IRECV] = "MPI nonblocking receive",
    [EVENT_MPI_REQUEST_TEST] = "MPI request test",
    [EVENT_MPI_REQUEST_CANCELLED] = "MPI request cancelled",
    [EVENT_MPI_COLLECTIVE_BEGIN] = "MPI collective begin",
    [EVENT_MPI_COLLECTIVE_END] = "MPI collective end",
    [EVENT_MPI_COLLECTIVE_REQUEST] = "MPI collective request",
    [EVENT_MPI_COLLECTIVE_DONE] = "MPI collective complete",
};

#define EVENT        ARCHIVE_CALLBACK
#define UNUSED_EVENT ARCHIVE_CALLBACK_UNUSED

#define ARCHIVE_OF(context) (((struct archive_source *)(context))->archive)

static struct archive_event *add_event(
    void *context, OTF2_TimeStamp time, enum archive_event_kind kind)
{
	return archive_add_event(context, time, kind);
}

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
	struct archive_event *event = add_event(context, time, EVENT_ACQUIRE);

	UNUSED_EVENT, (void)model;
	event->subject = lock;
	event->generation = order;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_release(EVENT, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	struct archive_event *event = add_event(context, time, EVENT_RELEASE);

	UNUSED_EVENT, (void)model;
	event->subject = lock;
	event->generation = order;
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

/* As the metric's definition has it, whatever the event says. */
static uint64_t value_of(
    const struct archive_metric *metric, OTF2_Type type, OTF2_MetricValue value)
{
	bool is_double = metric && metric->is_double;

	if (is_double && type != OTF2_TYPE_DOUBLE)
		value.floating_point =
		    type == OTF2_TYPE_INT64 ? (double)value.signed_int : (double)value.unsigned_int;
	if (!is_double && type == OTF2_TYPE_DOUBLE)
		return archive_whole_value(value.floating_point);
	return value.unsigned_int; /* its bits: or signed_int, of which differences are right */
}

/* The definition of a class's n-th metric, or NULL. */
static const struct archive_metric *metric_at(
    const struct archive *archive, uint32_t class, uint32_t n)
{
	const struct archive_metric_class *found;

	if (class == ARCHIVE_NO_INDEX)
		return NULL;
	found = &archive->metric_classes[class];
	if (n >= found->count || found->metrics[n] == ARCHIVE_NO_INDEX)
		return NULL;
	return &archive->metrics[found->metrics[n]];
}

static OTF2_CallbackCode on_metric(EVENT, OTF2_MetricRef metric, uint8_t count,
    const OTF2_Type *types, const OTF2_MetricValue *values)
{
	struct archive_source *source = context;
	const struct archive *archive = source->archive;
	uint64_t *kept = source->values + source->count * archive->largest_metric_class;
	struct archive_event *event = add_event(context, time, EVENT_METRIC);

	UNUSED_EVENT;
	event->subject = archive_index(&archive->metric_class_of, metric);
	event->values = kept;
	/* A damaged event may have another number of them than its class. */
	for (uint32_t i = 0; i < archive->largest_metric_class; i++)
		kept[i] = i < count
			      ? value_of(metric_at(archive, event->subject, i), types[i], values[i])
			      : 0;
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

OTF2_EvtReaderCallbacks *archive_new_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	archive_set_mpi_callbacks(callbacks);
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
