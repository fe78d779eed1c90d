/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks of MPI's events. What these say besides the communicator stands in a second buffer,
 * beside that of the events, which only locations with such events have: all others stay as small
 * as they were.
 */
#include "archive-parts.h"
#include "memory.h"

static void add(struct archive_source *source, uint64_t time, enum archive_event_kind kind,
    uint32_t comm, struct archive_mpi mpi)
{
	size_t place = source->count;
	struct archive_event *event = archive_add_event(source, time, kind);

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

#define MESSAGE ARCHIVE_CALLBACK, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes

static OTF2_CallbackCode add_message(void *context, uint64_t time, enum archive_event_kind kind,
    OTF2_CommRef comm, const struct archive_mpi *message)
{
	add(context, time, kind, comm_index(context, comm), *message);
	return OTF2_CALLBACK_SUCCESS;
}

#define MESSAGE_CALLBACK(name, kind)                                                               \
	static OTF2_CallbackCode name(MESSAGE)                                                     \
	{                                                                                          \
		ARCHIVE_CALLBACK_UNUSED;                                                           \
		return add_message(context, time, kind, comm,                                      \
		    &(struct archive_mpi){.peer = peer, .tag = tag, .bytes = bytes});              \
	}
#define REQUESTED_MESSAGE_CALLBACK(name, kind)                                                     \
	static OTF2_CallbackCode name(MESSAGE, uint64_t request)                                   \
	{                                                                                          \
		ARCHIVE_CALLBACK_UNUSED;                                                           \
		return add_message(context, time, kind, comm,                                      \
		    &(struct archive_mpi){                                                         \
			.peer = peer, .tag = tag, .bytes = bytes, .request = request});            \
	}

MESSAGE_CALLBACK(on_send, EVENT_MPI_SEND)
MESSAGE_CALLBACK(on_recv, EVENT_MPI_RECV)
REQUESTED_MESSAGE_CALLBACK(on_isend, EVENT_MPI_ISEND)
REQUESTED_MESSAGE_CALLBACK(on_irecv, EVENT_MPI_IRECV)

/* Those that name a request and nothing else. */
#define REQUEST_CALLBACK(name, kind)                                                               \
	static OTF2_CallbackCode name(ARCHIVE_CALLBACK, uint64_t request)                          \
	{                                                                                          \
		ARCHIVE_CALLBACK_UNUSED;                                                           \
		add(context, time, kind, ARCHIVE_NO_INDEX,                                         \
		    (struct archive_mpi){.request = request});                                     \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}

REQUEST_CALLBACK(on_isend_complete, EVENT_MPI_ISEND_COMPLETE)
REQUEST_CALLBACK(on_irecv_request, EVENT_MPI_IRECV_REQUEST)
REQUEST_CALLBACK(on_request_test, EVENT_MPI_REQUEST_TEST)
REQUEST_CALLBACK(on_request_cancelled, EVENT_MPI_REQUEST_CANCELLED)
REQUEST_CALLBACK(on_collective_request, EVENT_MPI_COLLECTIVE_REQUEST)

static OTF2_CallbackCode on_collective_begin(ARCHIVE_CALLBACK)
{
	ARCHIVE_CALLBACK_UNUSED;
	add(context, time, EVENT_MPI_COLLECTIVE_BEGIN, ARCHIVE_NO_INDEX, (struct archive_mpi){0});
	return OTF2_CALLBACK_SUCCESS;
}

#define COLLECTIVE                                                                                 \
	ARCHIVE_CALLBACK, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,           \
	    uint64_t sent, uint64_t received

static OTF2_CallbackCode on_collective_end(COLLECTIVE)
{
	ARCHIVE_CALLBACK_UNUSED;
	add(context, time, EVENT_MPI_COLLECTIVE_END, comm_index(context, comm),
	    (struct archive_mpi){
		.peer = root, .operation = operation, .bytes = sent, .received = received});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_done(COLLECTIVE, uint64_t request)
{
	ARCHIVE_CALLBACK_UNUSED;
	add(context, time, EVENT_MPI_COLLECTIVE_DONE, comm_index(context, comm),
	    (struct archive_mpi){.peer = root,
		.operation = operation,
		.bytes = sent,
		.received = received,
		.request = request});
	return OTF2_CALLBACK_SUCCESS;
}

void archive_set_mpi_callbacks(OTF2_EvtReaderCallbacks *callbacks)
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
