/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking messages, and messages that were probed first. */
#include "notes.h"
#include "requests.h"

#define SENDS(call, parameters, arguments)                                                         \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		if (entered && mpi_logs)                                                           \
			mpi_note_send((uint64_t)count, type, destination, tag, comm);              \
		int result = PMPI_##call arguments;                                                \
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
#define EXCHANGES(call, parameters, arguments, sent, sent_type)                                    \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		const struct mpi_comm *known = entered && mpi_logs ? mpi_comm_find(comm) : NULL;   \
		MPI_Status own;                                                                    \
		if (known != NULL) {                                                               \
			if (status == MPI_STATUS_IGNORE)                                           \
				status = &own;                                                     \
			mpi_note_send((uint64_t)(sent), sent_type, destination, send_tag, comm);   \
		}                                                                                  \
		int result = PMPI_##call arguments;                                                \
		if (known != NULL && result == MPI_SUCCESS)                                        \
			mpi_leave_receive(CALL_MPI_##call, known->number, known->peers, status);   \
		else                                                                               \
			mpi_call_leave(CALL_MPI_##call, entered);                                  \
		return result;                                                                     \
	}

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

#define PROBES(call, parameters, arguments, found)                                                 \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		int result = PMPI_##call arguments;                                                \
		if (entered && mpi_logs && result == MPI_SUCCESS && (found))                       \
			remember_message(*message, comm);                                          \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#define RECEIVES_MESSAGE(call, parameters, arguments)                                              \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request *probed =                                                       \
		    entered && mpi_logs ? mpi_request_take(message_handle(*message)) : NULL;       \
		MPI_Status own;                                                                    \
		if (status == MPI_STATUS_IGNORE && probed != NULL)                                 \
			status = &own;                                                             \
		int result = PMPI_##call arguments;                                                \
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

#define BEGINS_MESSAGE(call, parameters, arguments)                                                \
	int MPI_##call parameters                                                                  \
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
		int result = PMPI_##call arguments;                                                \
		if (probed != NULL && result == MPI_SUCCESS)                                       \
			mpi_request_add(mpi_handle(*request), &receive);                           \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS
