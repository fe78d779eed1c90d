/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that a call only begins, and persistent ones, which MPI_Start begins again and again. A
 * send is noted before MPI gets it, because the message may arrive before the call returns. Since
 * MPI 4 there are a send and a receive in one request, and partitioned messages, whose parts are
 * sent as they get ready: each counts as one message per MPI_Start, with all parts.
 */
#include "notes.h"
#include "requests.h"

void mpi_begin(struct mpi_request *request)
{
	request->number = mpi_request_number();
	request->active = true;
	request->cancelled = false;
	if (request->kind == REQUEST_SEND)
		pomp_rank_note(TRACE_LOG_MPI_ISEND, request->comm,
		    (uint64_t[4]){request->words[0], request->words[1], request->number});
	else if (request->kind == REQUEST_RECEIVE)
		pomp_rank_note(TRACE_LOG_MPI_IRECEIVE_BEGIN, 0, &request->number);
	else if (request->kind == REQUEST_COLLECTIVE)
		pomp_rank_note(TRACE_LOG_MPI_COLLECTIVE_REQUEST, 0, &request->number);
}

/*
 * Describe a send or receive; false if it is not noted, because it is to or from MPI_PROC_NULL or
 * its members are unknown.
 */
static bool describe_send(struct mpi_request *request, uint64_t count, MPI_Datatype type,
    int destination, int tag, MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_find(handle);

	if (comm == NULL || destination == MPI_PROC_NULL)
		return false;
	*request = (struct mpi_request){.kind = REQUEST_SEND,
	    .comm = comm->number,
	    .words = {mpi_message_word(comm->peers, destination, tag), mpi_bytes(count, type)}};
	return true;
}

static bool describe_receive(struct mpi_request *request, int source, MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_find(handle);

	if (comm == NULL || source == MPI_PROC_NULL)
		return false;
	*request = (struct mpi_request){
	    .kind = REQUEST_RECEIVE, .comm = comm->number, .peers = comm->peers};
	return true;
}

/* `bytes`: the most that can be received. */
__attribute__((unused)) static bool describe_exchange(struct mpi_request *request, uint64_t count,
    MPI_Datatype type, int destination, int send_tag, int source, int tag, uint64_t bytes,
    MPI_Comm handle)
{
	struct mpi_request send, receive;
	bool sends = describe_send(&send, count, type, destination, send_tag, handle);
	bool receives = describe_receive(&receive, source, handle);

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

/* lasts: a persistent request, which MPI_Start begins; a partitioned message is `parts` buffers. */
#define BEGINS_SEND(call, parameters, arguments, lasts, parts)                                     \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request send;                                                           \
		bool noted = entered && mpi_logs &&                                                \
			     describe_send(&send, (uint64_t)count * (uint64_t)(parts), type,       \
				 destination, tag, comm);                                          \
		if (noted && !(lasts))                                                             \
			mpi_begin(&send);                                                          \
		int result = PMPI_##call arguments;                                                \
		if (noted && result == MPI_SUCCESS) {                                              \
			send.persistent = lasts;                                                   \
			mpi_request_add(mpi_handle(*request), &send);                              \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

/* parts: 0 for a message that is not partitioned, which may use wildcards. */
#define BEGINS_RECEIVE(call, parameters, arguments, lasts, parts)                                  \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request receive;                                                        \
		bool noted = entered && mpi_logs && describe_receive(&receive, source, comm);      \
		if (noted && !(lasts))                                                             \
			mpi_begin(&receive);                                                       \
		int result = PMPI_##call arguments;                                                \
		if (noted && result == MPI_SUCCESS) {                                              \
			receive.persistent = lasts;                                                \
			if ((parts) > 0) {                                                         \
				receive.words[0] = mpi_message_word(receive.peers, source, tag);   \
				receive.words[1] =                                                 \
				    mpi_bytes((uint64_t)count * (uint64_t)(parts), type);          \
			}                                                                          \
			mpi_request_add(mpi_handle(*request), &receive);                           \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#define BEGINS_EXCHANGE(call, parameters, arguments, sent, sent_type)                              \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request begun;                                                          \
		bool noted = entered && mpi_logs &&                                                \
			     describe_exchange(&begun, (uint64_t)(sent), sent_type, destination,   \
				 send_tag, source, tag, mpi_bytes((uint64_t)count, type), comm);   \
		int result = PMPI_##call arguments;                                                \
		if (noted && result == MPI_SUCCESS)                                                \
			mpi_request_add(mpi_handle(*request), &begun);                             \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS

/* A persistent request keeps its handle: it remains in the table while it is active. */
static void start(MPI_Request handle)
{
	struct mpi_request *request = mpi_request_take(mpi_handle(handle));

	if (request == NULL)
		return;
	mpi_begin(request);
	mpi_request_put_back(request);
}

int MPI_Start(MPI_Request *request)
{
	bool entered = mpi_call_enter(CALL_MPI_Start);

	if (entered && mpi_logs)
		start(*request);
	int result = PMPI_Start(request);
	mpi_call_leave(CALL_MPI_Start, entered);
	return result;
}

int MPI_Startall(int count, MPI_Request requests[])
{
	bool entered = mpi_call_enter(CALL_MPI_Startall);

	for (int i = 0; entered && mpi_logs && i < count; i++)
		start(requests[i]);
	int result = PMPI_Startall(count, requests);
	mpi_call_leave(CALL_MPI_Startall, entered);
	return result;
}

int MPI_Cancel(MPI_Request *handle)
{
	bool entered = mpi_call_enter(CALL_MPI_Cancel);
	struct mpi_request *request =
	    entered && mpi_logs ? mpi_request_take(mpi_handle(*handle)) : NULL;
	int result = PMPI_Cancel(handle);

	if (request != NULL) {
		request->cancelled = true;
		mpi_request_put_back(request);
	}
	mpi_call_leave(CALL_MPI_Cancel, entered);
	return result;
}

/*
 * The send continues, but its end will not be seen, so it ends here. A receive is not noted at all.
 */
int MPI_Request_free(MPI_Request *handle)
{
	bool entered = mpi_call_enter(CALL_MPI_Request_free);
	struct mpi_request *request =
	    entered && mpi_logs ? mpi_request_take(mpi_handle(*handle)) : NULL;
	int result = PMPI_Request_free(handle);

	if (request != NULL) {
		if ((request->kind == REQUEST_SEND || request->kind == REQUEST_EXCHANGE) &&
		    request->active && request->number != 0)
			pomp_rank_note(TRACE_LOG_MPI_ISEND_DONE, 0, &request->number);
		mpi_request_release(request);
	}
	mpi_call_leave(CALL_MPI_Request_free, entered);
	return result;
}
