/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks of the OTF2 library: each converts one event to our form and adds it to its
 * location's buffer. The library reads and skips kinds of events without a callback here.
 */
#include "definitions.h"
#include "event-source.h"
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
    [EVENT_SAMPLE] = "sample",
    [EVENT_FAULT] = "sample in a page fault",
    [EVENT_COUNTED] = "counted",
    [EVENT_BLOCKED] = "blocked",
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

/* The part of the signature that all callbacks of events share. */
#define EVENT                                                                                      \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,          \
	    OTF2_AttributeList *attributes
#define UNUSED_EVENT (void)location, (void)position, (void)attributes

#define ARCHIVE_OF(context) (((struct archive_source *)(context))->archive)

/* The next event of the source. */
static inline struct archive_event *add_event(
    void *context, OTF2_TimeStamp time, enum archive_event_kind kind)
{
	struct archive_source *source = context;
	struct archive_event *event = &source->events[source->count++];

	*event = (struct archive_event){.time = time, .location = source->location, .kind = kind};
	return event;
}

/* Events of which only the kind and the subject are kept. */
#define SUBJECT_CALLBACK(name, kind, reference, index)                                             \
	static OTF2_CallbackCode name(EVENT, reference subject)                                    \
	{                                                                                          \
		UNUSED_EVENT;                                                                      \
		add_event(context, time, kind)->subject =                                          \
		    archive_index(&ARCHIVE_OF(context)->index, subject);                           \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

SUBJECT_CALLBACK(on_enter, EVENT_ENTER, OTF2_RegionRef, region_of)
SUBJECT_CALLBACK(on_leave, EVENT_LEAVE, OTF2_RegionRef, region_of)
SUBJECT_CALLBACK(on_team_begin, EVENT_TEAM_BEGIN, OTF2_CommRef, comm_of)
SUBJECT_CALLBACK(on_team_end, EVENT_TEAM_END, OTF2_CommRef, comm_of)

static struct archive_location *location_of(void *context)
{
	struct archive_source *source = context;

	return &source->archive->locations[source->location];
}

static enum archive_event_kind kind_of_sample(
    const struct archive *archive, OTF2_InterruptGeneratorRef generator)
{
	if (generator == OTF2_UNDEFINED_INTERRUPT_GENERATOR)
		return EVENT_SAMPLE;
	return generator == archive->blocked_generator   ? EVENT_BLOCKED
	       : generator == archive->fault_generator   ? EVENT_FAULT
	       : generator == archive->counted_generator ? EVENT_COUNTED
							 : EVENT_SAMPLE;
}

static OTF2_CallbackCode on_sample(EVENT, OTF2_CallingContextRef calling_context,
    uint32_t unwind_distance, OTF2_InterruptGeneratorRef generator)
{
	UNUSED_EVENT, (void)unwind_distance;
	add_event(context, time, kind_of_sample(ARCHIVE_OF(context), generator))->subject =
	    archive_index(&ARCHIVE_OF(context)->context_of, calling_context);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_switch(EVENT, OTF2_MeasurementMode mode)
{
	UNUSED_EVENT, (void)time, (void)mode;
	location_of(context)->switches++;
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

#define LOCK_CALLBACK(name, kind)                                                                  \
	static OTF2_CallbackCode name(EVENT, OTF2_Paradigm model, uint32_t lock, uint32_t order)   \
	{                                                                                          \
		UNUSED_EVENT, (void)model;                                                         \
		struct archive_event *event = add_event(context, time, kind);                      \
		event->subject = lock;                                                             \
		event->generation = order;                                                         \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

LOCK_CALLBACK(on_acquire, EVENT_ACQUIRE)
LOCK_CALLBACK(on_release, EVENT_RELEASE)

#define TASK_CALLBACK(name, kind)                                                                  \
	static OTF2_CallbackCode name(                                                             \
	    EVENT, OTF2_CommRef team, uint32_t creator, uint32_t generation)                       \
	{                                                                                          \
		UNUSED_EVENT;                                                                      \
		struct archive_event *event = add_event(context, time, kind);                      \
		event->subject = archive_index(&ARCHIVE_OF(context)->comm_of, team);               \
		event->creator = creator;                                                          \
		event->generation = generation;                                                    \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

TASK_CALLBACK(on_task_create, EVENT_TASK_CREATE)
TASK_CALLBACK(on_task_switch, EVENT_TASK_SWITCH)
TASK_CALLBACK(on_task_complete, EVENT_TASK_COMPLETE)

static OTF2_CallbackCode on_program_begin(
    EVENT, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments)
{
	struct archive *archive = ARCHIVE_OF(context);

	UNUSED_EVENT;
	add_event(context, time, EVENT_PROGRAM_BEGIN);
	/* The name and arguments of the first rank stand for all ranks. */
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

/* The value in the type of the metric's definition, whichever type the event has. */
static uint64_t value_of(
    const struct archive_metric *metric, OTF2_Type type, OTF2_MetricValue value)
{
	bool is_double = metric && metric->is_double;

	if (is_double && type != OTF2_TYPE_DOUBLE)
		value.floating_point =
		    type == OTF2_TYPE_INT64 ? (double)value.signed_int : (double)value.unsigned_int;
	if (!is_double && type == OTF2_TYPE_DOUBLE)
		return archive_whole_value(value.floating_point);
	return value.unsigned_int; /* the bits, also of signed_int: differences are still right */
}

/* The definition of the n-th metric of a class, or NULL. */
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

/* Whether the values that the location records are about a thread, itself or another one. */
static bool is_about_thread(const struct archive *archive, uint32_t class, uint32_t location)
{
	const struct archive_metric_class *values;

	if (class == ARCHIVE_NO_INDEX)
		return location < archive->thread_count;
	values = &archive->metric_classes[class];
	if (values->scope == SCOPE_RECORDER)
		return location < archive->thread_count;
	return values->scope == SCOPE_LOCATION && values->location < archive->thread_count;
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
	location_of(context)->other_metrics +=
	    !is_about_thread(archive, event->subject, source->location);
	/* A damaged event may have more or fewer values than its class. */
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

#define PARAMETER_CALLBACK(name, type)                                                             \
	static OTF2_CallbackCode name(EVENT, OTF2_ParameterRef parameter, type value)              \
	{                                                                                          \
		UNUSED_EVENT, (void)parameter, (void)value;                                        \
		add_event(context, time, EVENT_PARAMETER);                                         \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

PARAMETER_CALLBACK(on_parameter_string, OTF2_StringRef)
PARAMETER_CALLBACK(on_parameter_int, int64_t)
PARAMETER_CALLBACK(on_parameter_unsigned, uint64_t)

/*
 * MPI's events. Everything they record besides the communicator goes into a second buffer beside
 * that of the events. Only locations with MPI events have it, so that all others stay small.
 */
static void add_mpi_event(struct archive_source *source, uint64_t time,
    enum archive_event_kind kind, uint32_t comm, struct archive_mpi mpi)
{
	size_t place = source->count;
	struct archive_event *event = add_event(source, time, kind);

	if (!source->mpi)
		source->mpi = memory_new(source->room, sizeof(source->mpi[0]));
	source->mpi[place] = mpi;
	event->subject = comm;
	event->mpi = &source->mpi[place];
}

static uint32_t comm_index(const struct archive_source *source, OTF2_CommRef comm)
{
	return archive_index(&source->archive->comm_of, comm);
}

#define MESSAGE EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes

static OTF2_CallbackCode add_message(void *context, uint64_t time, enum archive_event_kind kind,
    OTF2_CommRef comm, const struct archive_mpi *message)
{
	add_mpi_event(context, time, kind, comm_index(context, comm), *message);
	return OTF2_CALLBACK_SUCCESS;
}

#define MESSAGE_CALLBACK(name, kind)                                                               \
	static OTF2_CallbackCode name(MESSAGE)                                                     \
	{                                                                                          \
		UNUSED_EVENT;                                                                      \
		return add_message(context, time, kind, comm,                                      \
		    &(struct archive_mpi){.peer = peer, .tag = tag, .bytes = bytes});              \
	}
#define REQUESTED_MESSAGE_CALLBACK(name, kind)                                                     \
	static OTF2_CallbackCode name(MESSAGE, uint64_t request)                                   \
	{                                                                                          \
		UNUSED_EVENT;                                                                      \
		return add_message(context, time, kind, comm,                                      \
		    &(struct archive_mpi){                                                         \
			.peer = peer, .tag = tag, .bytes = bytes, .request = request});            \
	}

MESSAGE_CALLBACK(on_send, EVENT_MPI_SEND)
MESSAGE_CALLBACK(on_recv, EVENT_MPI_RECV)
REQUESTED_MESSAGE_CALLBACK(on_isend, EVENT_MPI_ISEND)
REQUESTED_MESSAGE_CALLBACK(on_irecv, EVENT_MPI_IRECV)

/* Events that record only a request. */
#define REQUEST_CALLBACK(name, kind)                                                               \
	static OTF2_CallbackCode name(EVENT, uint64_t request)                                     \
	{                                                                                          \
		UNUSED_EVENT;                                                                      \
		add_mpi_event(context, time, kind, ARCHIVE_NO_INDEX,                               \
		    (struct archive_mpi){.request = request});                                     \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

REQUEST_CALLBACK(on_isend_complete, EVENT_MPI_ISEND_COMPLETE)
REQUEST_CALLBACK(on_irecv_request, EVENT_MPI_IRECV_REQUEST)
REQUEST_CALLBACK(on_request_test, EVENT_MPI_REQUEST_TEST)
REQUEST_CALLBACK(on_request_cancelled, EVENT_MPI_REQUEST_CANCELLED)
REQUEST_CALLBACK(on_collective_request, EVENT_MPI_COLLECTIVE_REQUEST)

static OTF2_CallbackCode on_collective_begin(EVENT)
{
	UNUSED_EVENT;
	add_mpi_event(
	    context, time, EVENT_MPI_COLLECTIVE_BEGIN, ARCHIVE_NO_INDEX, (struct archive_mpi){0});
	return OTF2_CALLBACK_SUCCESS;
}

#define COLLECTIVE                                                                                 \
	EVENT, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,       \
	    uint64_t received

static OTF2_CallbackCode on_collective_end(COLLECTIVE)
{
	UNUSED_EVENT;
	add_mpi_event(context, time, EVENT_MPI_COLLECTIVE_END, comm_index(context, comm),
	    (struct archive_mpi){
		.peer = root, .operation = operation, .bytes = sent, .received = received});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_done(COLLECTIVE, uint64_t request)
{
	UNUSED_EVENT;
	add_mpi_event(context, time, EVENT_MPI_COLLECTIVE_DONE, comm_index(context, comm),
	    (struct archive_mpi){.peer = root,
		.operation = operation,
		.bytes = sent,
		.received = received,
		.request = request});
	return OTF2_CALLBACK_SUCCESS;
}

static void set_mpi_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
	OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_request_test);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_request_cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
	    callbacks, on_collective_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
	    callbacks, on_collective_done);
}

OTF2_EvtReaderCallbacks *archive_new_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	set_mpi_callbacks(callbacks);
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_sample);
	OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_switch);
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
