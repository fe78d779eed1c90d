/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that make, name and free communicators. */
#include "comms.h"
#include "notes.h"
#include "requests.h"

/* Calls by all members of `comm`. */
#define MAKES(call, parameters, arguments)                                                         \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		int result = PMPI_##call arguments;                                                \
		if (mpi_logs && result == MPI_SUCCESS)                                             \
			mpi_comm_made(comm, *made);                                                \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

/* Calls by the new members only, or from another communicator. */
#define MAKES_APART(call, parameters, arguments)                                                   \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		int result = PMPI_##call arguments;                                                \
		if (mpi_logs && result == MPI_SUCCESS)                                             \
			mpi_comm_appeared(*made);                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#define FREES(call, parameters, arguments)                                                         \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		if (mpi_logs)                                                                      \
			mpi_comm_forget(*comm);                                                    \
		int result = PMPI_##call arguments;                                                \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_idup);
	struct mpi_request promise = {.kind = REQUEST_COMM, .made = made, .active = true};

	if (mpi_logs)
		promise.number = mpi_comm_promise(comm);
	int result = PMPI_Comm_idup(comm, made, request);
	if (promise.number != 0 && result == MPI_SUCCESS)
		mpi_request_add(mpi_handle(*request), &promise);
	mpi_call_leave(CALL_MPI_Comm_idup, entered);
	return result;
}

int MPI_Comm_set_name(MPI_Comm comm, const char *name)
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_set_name);
	const struct mpi_comm *known = mpi_logs ? mpi_comm_find(comm) : NULL;
	int result = PMPI_Comm_set_name(comm, name), rank;

	if (known != NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS &&
	    mpi_comm_is_listed_by(rank))
		pomp_rank_name(known->identity, name);
	mpi_call_leave(CALL_MPI_Comm_set_name, entered);
	return result;
}
