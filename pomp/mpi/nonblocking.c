/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that a call only begins, and persistent ones, which MPI_Start begins again and again. A
 * send is noted before MPI gets it, because the message may arrive before the call returns.
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

bool mpi_describe_send(struct mpi_request *request, uint64_t count, MPI_Datatype type,
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

bool mpi_describe_receive(struct mpi_request *request, int source, MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_find(handle);

	if (comm == NULL || source == MPI_PROC_NULL)
		return false;
	*request = (struct mpi_request){
	    .kind = REQUEST_RECEIVE, .comm = comm->number, .peers = comm->peers};
	return true;
}

#define BEGINS_SEND(call, COUNT, lasts)                                                            \
	int MPI_##call(const void *buffer, COUNT count, MPI_Datatype type, int destination,        \
	    int tag, MPI_Comm comm, MPI_Request *request)                                          \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request send;                                                           \
		bool noted =                                                                       \
		    entered && mpi_logs &&                                                         \
		    mpi_describe_send(&send, (uint64_t)count, type, destination, tag, comm);       \
		if (noted && !(lasts))                                                             \
			mpi_begin(&send);                                                          \
		int result = PMPI_##call(buffer, count, type, destination, tag, comm, request);    \
		if (noted && result == MPI_SUCCESS) {                                              \
			send.persistent = lasts;                                                   \
			mpi_request_add(mpi_handle(*request), &send);                              \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#define BEGINS_RECEIVE(call, COUNT, lasts)                                                         \
	int MPI_##call(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,          \
	    MPI_Comm comm, MPI_Request *request)                                                   \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request receive;                                                        \
		bool noted = entered && mpi_logs && mpi_describe_receive(&receive, source, comm);  \
		if (noted && !(lasts))                                                             \
			mpi_begin(&receive);                                                       \
		int result = PMPI_##call(buffer, count, type, source, tag, comm, request);         \
		if (noted && result == MPI_SUCCESS) {                                              \
			receive.persistent = lasts;                                                \
			mpi_request_add(mpi_handle(*request), &receive);                           \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

BEGINS_SEND(Isend, int, false)
BEGINS_SEND(Ibsend, int, false)
BEGINS_SEND(Irsend, int, false)
BEGINS_SEND(Issend, int, false)
BEGINS_SEND(Send_init, int, true)
BEGINS_SEND(Bsend_init, int, true)
BEGINS_SEND(Rsend_init, int, true)
BEGINS_SEND(Ssend_init, int, true)
BEGINS_RECEIVE(Irecv, int, false)
BEGINS_RECEIVE(Recv_init, int, true)
#ifdef HAVE_MPI_Isend_c
BEGINS_SEND(Isend_c, MPI_Count, false)
BEGINS_SEND(Ibsend_c, MPI_Count, false)
BEGINS_SEND(Irsend_c, MPI_Count, false)
BEGINS_SEND(Issend_c, MPI_Count, false)
BEGINS_SEND(Send_init_c, MPI_Count, true)
BEGINS_SEND(Bsend_init_c, MPI_Count, true)
BEGINS_SEND(Rsend_init_c, MPI_Count, true)
BEGINS_SEND(Ssend_init_c, MPI_Count, true)
BEGINS_RECEIVE(Irecv_c, MPI_Count, false)
BEGINS_RECEIVE(Recv_init_c, MPI_Count, true)
#endif

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
