/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that make, name and free communicators. */
#include "comms.h"
#include "notes.h"
#include "requests.h"

/* Calls by all members of `comm`, with the new communicator last. */
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

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
    (comm, type, key, info, made))
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKES(Cart_create,
    (MPI_Comm comm, int count, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
    (comm, count, sizes, periods, reorder, made))
MAKES(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made))
MAKES(Graph_create,
    (MPI_Comm comm, int count, const int index[], const int edges[], int reorder, MPI_Comm *made),
    (comm, count, index, edges, reorder, made))
MAKES(Dist_graph_create,
    (MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
	const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
    (comm, count, sources, degrees, destinations, weights, info, reorder, made))
MAKES(Dist_graph_create_adjacent,
    (MPI_Comm comm, int in, const int sources[], const int source_weights[], int out,
	const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
    (comm, in, sources, source_weights, out, destinations, weights, info, reorder, made))

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_create_group);
	int result = PMPI_Comm_create_group(comm, group, tag, made);

	if (mpi_logs && result == MPI_SUCCESS)
		mpi_comm_appeared(*made);
	mpi_call_leave(CALL_MPI_Comm_create_group, entered);
	return result;
}

int MPI_Intercomm_create(
    MPI_Comm local, int leader, MPI_Comm bridge, int remote_leader, int tag, MPI_Comm *made)
{
	bool entered = mpi_call_enter(CALL_MPI_Intercomm_create);
	int result = PMPI_Intercomm_create(local, leader, bridge, remote_leader, tag, made);

	if (mpi_logs && result == MPI_SUCCESS)
		mpi_comm_appeared(*made);
	mpi_call_leave(CALL_MPI_Intercomm_create, entered);
	return result;
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made)
{
	bool entered = mpi_call_enter(CALL_MPI_Intercomm_merge);
	int result = PMPI_Intercomm_merge(comm, high, made);

	if (mpi_logs && result == MPI_SUCCESS)
		mpi_comm_appeared(*made);
	mpi_call_leave(CALL_MPI_Intercomm_merge, entered);
	return result;
}

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

int MPI_Comm_free(MPI_Comm *comm)
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_free);

	if (mpi_logs)
		mpi_comm_forget(*comm);
	int result = PMPI_Comm_free(comm);
	mpi_call_leave(CALL_MPI_Comm_free, entered);
	return result;
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_disconnect);

	if (mpi_logs)
		mpi_comm_forget(*comm);
	int result = PMPI_Comm_disconnect(comm);
	mpi_call_leave(CALL_MPI_Comm_disconnect, entered);
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
