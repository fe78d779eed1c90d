/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking messages, and messages that were probed first. */
#include "exchanges.h"
#include "notes.h"
#include "requests.h"

/* COUNT is int, or MPI_Count in the calls whose names end in _c. */
#define SENDS(call, COUNT)                                                                         \
	int MPI_##call(const void *buffer, COUNT count, MPI_Datatype type, int destination,        \
	    int tag, MPI_Comm comm)                                                                \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		if (entered && mpi_logs)                                                           \
			mpi_note_send((uint64_t)count, type, destination, tag, comm);              \
		int result = PMPI_##call(buffer, count, type, destination, tag, comm);             \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

/* A receive; uses a status of our own if the program wants none. */
#define RECEIVES(call, parameters, arguments)                                                      \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		const struct mpi_comm *known = entered && mpi_logs ? mpi_comm_find(comm) : NULL;   \
		MPI_Status own;                                                                    \
		if (status == MPI_STATUS_IGNORE && known != NULL)                                  \
			status = &own;                                                             \
		int result = PMPI_##call arguments;                                                \
		if (known != NULL && result == MPI_SUCCESS)                                        \
			mpi_leave_receive(CALL_MPI_##call, known->number, known->peers, status);   \
		else                                                                               \
			mpi_call_leave(CALL_MPI_##call, entered);                                  \
		return result;                                                                     \
	}

/* Send and receive in one call: the send is noted even if the receive is not. */
#define EXCHANGES(call, count, type, parameters, arguments)                                        \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		const struct mpi_comm *known = entered && mpi_logs ? mpi_comm_find(comm) : NULL;   \
		MPI_Status own;                                                                    \
		if (known != NULL) {                                                               \
			if (status == MPI_STATUS_IGNORE)                                           \
				status = &own;                                                     \
			mpi_note_send((uint64_t)(count), type, destination, send_tag, comm);       \
		}                                                                                  \
		int result = PMPI_##call arguments;                                                \
		if (known != NULL && result == MPI_SUCCESS)                                        \
			mpi_leave_receive(CALL_MPI_##call, known->number, known->peers, status);   \
		else                                                                               \
			mpi_call_leave(CALL_MPI_##call, entered);                                  \
		return result;                                                                     \
	}

#define RECEIVE(call, COUNT)                                                                       \
	RECEIVES(call,                                                                             \
	    (void *buffer, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,     \
		MPI_Status *status),                                                               \
	    (buffer, count, type, source, tag, comm, status))

SENDS(Send, int)
SENDS(Bsend, int)
SENDS(Rsend, int)
SENDS(Ssend, int)
RECEIVE(Recv, int)
EXCHANGE(EXCHANGES, Sendrecv, int, MPI_Status *, status)
EXCHANGE_IN_PLACE(EXCHANGES, Sendrecv_replace, int, MPI_Status *, status)
#ifdef HAVE_MPI_Send_c
SENDS(Send_c, MPI_Count)
SENDS(Bsend_c, MPI_Count)
SENDS(Rsend_c, MPI_Count)
SENDS(Ssend_c, MPI_Count)
RECEIVE(Recv_c, MPI_Count)
EXCHANGE(EXCHANGES, Sendrecv_c, MPI_Count, MPI_Status *, status)
EXCHANGE_IN_PLACE(EXCHANGES, Sendrecv_replace_c, MPI_Count, MPI_Status *, status)
#endif

/* Messages have handles of their own kind, whose numbers may equal those of requests. */
static uint64_t message_handle(MPI_Message message)
{
	return mpi_handle(message) ^ UINT64_C(1) << 63;
}

static void remember_message(MPI_Message message, MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_find(handle);

	if (comm != NULL && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
		mpi_request_add(message_handle(message),
		    &(struct mpi_request){
			.kind = REQUEST_MESSAGE, .comm = comm->number, .peers = comm->peers});
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Mprobe);
	int result = PMPI_Mprobe(source, tag, comm, message, status);

	if (entered && mpi_logs && result == MPI_SUCCESS)
		remember_message(*message, comm);
	mpi_call_leave(CALL_MPI_Mprobe, entered);
	return result;
}

int MPI_Improbe(
    int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Improbe);
	int result = PMPI_Improbe(source, tag, comm, flag, message, status);

	if (entered && mpi_logs && result == MPI_SUCCESS && *flag)
		remember_message(*message, comm);
	mpi_call_leave(CALL_MPI_Improbe, entered);
	return result;
}

#define RECEIVES_MESSAGE(call, COUNT)                                                              \
	int MPI_##call(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,         \
	    MPI_Status *status)                                                                    \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request *probed =                                                       \
		    entered && mpi_logs ? mpi_request_take(message_handle(*message)) : NULL;       \
		MPI_Status own;                                                                    \
		if (status == MPI_STATUS_IGNORE && probed != NULL)                                 \
			status = &own;                                                             \
		int result = PMPI_##call(buffer, count, type, message, status);                    \
		uint32_t known = probed != NULL ? probed->comm : 0;                                \
		uint32_t peers = probed != NULL ? probed->peers : 0;                               \
		if (probed != NULL)                                                                \
			mpi_request_release(probed);                                               \
		if (probed != NULL && result == MPI_SUCCESS)                                       \
			mpi_leave_receive(CALL_MPI_##call, known, peers, status);                  \
		else                                                                               \
			mpi_call_leave(CALL_MPI_##call, entered);                                  \
		return result;                                                                     \
	}

#define BEGINS_MESSAGE(call, COUNT)                                                                \
	int MPI_##call(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,         \
	    MPI_Request *request)                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request *probed =                                                       \
		    entered && mpi_logs ? mpi_request_take(message_handle(*message)) : NULL;       \
		struct mpi_request receive = {.kind = REQUEST_RECEIVE, .active = true};            \
		if (probed != NULL) {                                                              \
			receive.comm = probed->comm;                                               \
			receive.peers = probed->peers;                                             \
			receive.number = mpi_request_number();                                     \
			mpi_request_release(probed);                                               \
			pomp_rank_note(TRACE_LOG_MPI_IRECEIVE_BEGIN, 0, &receive.number);          \
		}                                                                                  \
		int result = PMPI_##call(buffer, count, type, message, request);                   \
		if (probed != NULL && result == MPI_SUCCESS)                                       \
			mpi_request_add(mpi_handle(*request), &receive);                           \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

RECEIVES_MESSAGE(Mrecv, int)
BEGINS_MESSAGE(Imrecv, int)
#ifdef HAVE_MPI_Mrecv_c
RECEIVES_MESSAGE(Mrecv_c, MPI_Count)
BEGINS_MESSAGE(Imrecv_c, MPI_Count)
#endif
