/* SPDX-License-Identifier: BSD-3-Clause */
/* What is logged in addition to enter and leave: messages and collective operations. */
#ifndef NOTES_H
#define NOTES_H

#include "comms.h"
#include "shared/ranks.h"

/*
 * Whether the meaning of calls is logged: from the end of MPI_Init, which sets it, to the beginning
 * of MPI_Finalize, which clears it. Every call reads it. It is the same at all ranks, even if only
 * some of them log: all write down communicators.
 */
extern HIDDEN bool mpi_logs;

/* peers: the offset of the peer's group in the communicator's list of members. */
static inline uint64_t mpi_message_word(uint32_t peers, int peer, int tag)
{
	return (uint64_t)(peers + (uint32_t)peer) << 32 | (uint32_t)tag;
}

/* Returns the size in bytes of that many elements. */
static inline uint64_t mpi_bytes(uint64_t count, MPI_Datatype type)
{
#ifdef HAVE_MPI_Type_size_x
	MPI_Count size = 0;

	PMPI_Type_size_x(type, &size);
#else
	int size = 0;

	PMPI_Type_size(type, &size);
#endif
	return size > 0 ? count * (uint64_t)size : 0;
}

/* Notes that a message is sent; to MPI_PROC_NULL there is no message. */
static inline void mpi_note_send(
    uint64_t count, MPI_Datatype type, int destination, int tag, MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_find(handle);

	if (comm == NULL || destination == MPI_PROC_NULL)
		return;
	pomp_rank_note(TRACE_LOG_MPI_SEND, comm->number,
	    (uint64_t[4]){mpi_message_word(comm->peers, destination, tag), mpi_bytes(count, type)});
}

/* Returns how many bytes were received. */
static inline uint64_t mpi_received_bytes(const MPI_Status *status)
{
	MPI_Count bytes = 0;
	int few = MPI_UNDEFINED;

	/* The faster function can only return an int. */
	if (PMPI_Get_count(status, MPI_BYTE, &few) != MPI_SUCCESS || few == MPI_UNDEFINED)
		PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	else
		bytes = few;
	return bytes > 0 ? (uint64_t)bytes : 0;
}

/* Ends a call that received a message; the status has the values for wildcards. */
static inline void mpi_leave_receive(
    enum mpi_call call, uint32_t comm, uint32_t peers, const MPI_Status *status)
{
	if (status->MPI_SOURCE == MPI_PROC_NULL || status->MPI_SOURCE < 0)
		mpi_call_leave(call, true);
	else
		mpi_call_leave_noting(call, TRACE_LOG_MPI_RECEIVE, comm,
		    (uint64_t[4]){mpi_message_word(peers, status->MPI_SOURCE, status->MPI_TAG),
			mpi_received_bytes(status)});
}

#endif
