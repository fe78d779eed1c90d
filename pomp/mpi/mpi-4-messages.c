/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that are new in MPI 4, if this MPI has them: a send and a receive in one request, and
 * partitioned messages, whose parts are sent as they get ready. A partitioned message counts as one
 * message per MPI_Start, with all parts.
 */
#include "exchanges.h"
#include "notes.h"
#include "requests.h"

#ifdef HAVE_MPI_Isendrecv
/* `bytes`: the most that can be received. */
static bool describe_exchange(struct mpi_request *request, uint64_t count, MPI_Datatype type,
    int destination, int send_tag, int source, int tag, uint64_t bytes, MPI_Comm handle)
{
	struct mpi_request send, receive;
	bool sends = mpi_describe_send(&send, count, type, destination, send_tag, handle);
	bool receives = mpi_describe_receive(&receive, source, handle);

	if (!sends && !receives)
		return false;
	if (sends)
		mpi_begin(&send);
	if (receives)
		mpi_begin(&receive);
	*request = (struct mpi_request){.kind = REQUEST_EXCHANGE,
	    .active = true,
	    .comm = sends ? send.comm : receive.comm,
	    .peers = sends ? send.peers : receive.peers,
	    .number = sends ? send.number : 0,
	    .received = receives ? receive.number : 0};
	if (receives && source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG) {
		request->words[0] = mpi_message_word(receive.peers, source, tag);
		request->words[1] = bytes;
	}
	return true;
}

#define BEGINS_EXCHANGE(call, send_count, send_type, parameters, arguments)                        \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request begun;                                                          \
		bool noted =                                                                       \
		    entered && mpi_logs &&                                                         \
		    describe_exchange(&begun, (uint64_t)(send_count), send_type, destination,      \
			send_tag, source, tag, mpi_bytes((uint64_t)count, type), comm);            \
		int result = PMPI_##call arguments;                                                \
		if (noted && result == MPI_SUCCESS)                                                \
			mpi_request_add(mpi_handle(*request), &begun);                             \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

EXCHANGE(BEGINS_EXCHANGE, Isendrecv, int, MPI_Request *, request)
EXCHANGE_IN_PLACE(BEGINS_EXCHANGE, Isendrecv_replace, int, MPI_Request *, request)
#ifdef HAVE_MPI_Isendrecv_c
EXCHANGE(BEGINS_EXCHANGE, Isendrecv_c, MPI_Count, MPI_Request *, request)
EXCHANGE_IN_PLACE(BEGINS_EXCHANGE, Isendrecv_replace_c, MPI_Count, MPI_Request *, request)
#endif
#endif

#ifdef HAVE_MPI_Psend_init
int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type,
    int destination, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	bool entered = mpi_call_enter(CALL_MPI_Psend_init);
	struct mpi_request send;
	bool noted = entered && mpi_logs &&
		     mpi_describe_send(
			 &send, (uint64_t)count * (uint64_t)parts, type, destination, tag, comm);
	int result =
	    PMPI_Psend_init(buffer, parts, count, type, destination, tag, comm, info, request);

	if (noted && result == MPI_SUCCESS) {
		send.persistent = true;
		mpi_request_add(mpi_handle(*request), &send);
	}
	mpi_call_leave(CALL_MPI_Psend_init, entered);
	return result;
}

int MPI_Precv_init(void *buffer, int parts, MPI_Count count, MPI_Datatype type, int source, int tag,
    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	bool entered = mpi_call_enter(CALL_MPI_Precv_init);
	struct mpi_request receive;
	bool noted = entered && mpi_logs && mpi_describe_receive(&receive, source, comm);
	int result = PMPI_Precv_init(buffer, parts, count, type, source, tag, comm, info, request);

	if (noted && result == MPI_SUCCESS) {
		receive.persistent = true;
		receive.words[0] = mpi_message_word(receive.peers, source, tag);
		receive.words[1] = mpi_bytes((uint64_t)count * (uint64_t)parts, type);
		mpi_request_add(mpi_handle(*request), &receive);
	}
	mpi_call_leave(CALL_MPI_Precv_init, entered);
	return result;
}
#endif
