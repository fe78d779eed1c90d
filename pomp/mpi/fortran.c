/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of Fortran (mpif.h, `use mpi`) for the start and end of ranks, messages and
 * collective operations: the bindings of an MPI call its C functions by names that no profiler sees.
 * Each wrapper notes what the call means by the handles' C forms and calls the binding itself, so that
 * buffers and Fortran's constants never need translating.
 *
 * Compilers spell the names in four ways. The bindings are there in Fortran programs only: they are
 * weak references, and nobody calls the wrappers where they are missing.
 */
#include "completion.h"
#include "life.h"
#include "notes.h"
#include "sync.h"

#include <stdlib.h>

/* Defines the name in all four spellings, and declares the binding below it. */
#define ENTRY(name, NAME, parameters)                                                              \
	extern void p##name##_ parameters __attribute__((weak));                                   \
	void name##_ parameters;                                                                   \
	void name##__ parameters __attribute__((alias(#name "_")));                                \
	void name parameters __attribute__((alias(#name "_")));                                    \
	void NAME parameters __attribute__((alias(#name "_")));                                    \
	void name##_ parameters

/* A status of ours where the program wants none; larger than any MPI's. */
struct own_status {
	MPI_Fint words[sizeof(MPI_Status) / sizeof(MPI_Fint) + 8];
};

#ifndef MPI_F_STATUS_SIZE /* of MPI 3.1 and later; where it is missing, the two are alike */
#define MPI_F_STATUS_SIZE (sizeof(MPI_Status) / sizeof(MPI_Fint))
#endif

static bool worked(const MPI_Fint *error)
{
	return *error == MPI_SUCCESS;
}

ENTRY(mpi_init, MPI_INIT, (MPI_Fint * error))
{
	bool entered = mpi_call_enter(CALL_MPI_Init);

	pmpi_init_(error);
	if (worked(error))
		mpi_life_begin();
	mpi_call_leave(CALL_MPI_Init, entered);
}

ENTRY(mpi_init_thread, MPI_INIT_THREAD, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Init_thread);

	pmpi_init_thread_(required, provided, error);
	if (worked(error))
		mpi_life_begin();
	mpi_call_leave(CALL_MPI_Init_thread, entered);
}

ENTRY(mpi_finalize, MPI_FINALIZE, (MPI_Fint * error))
{
	mpi_call_enter(CALL_MPI_Finalize);
	mpi_life_end();
	pmpi_finalize_(error);
	mpi_call_leave(CALL_MPI_Finalize, false);
}

#define SENDS(name, NAME, call)                                                                    \
	ENTRY(name, NAME, (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *to,              \
			      MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *error))                     \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		if (entered && mpi_logs)                                                           \
			mpi_note_send((uint64_t)*count, PMPI_Type_f2c(*type), *to, *tag,           \
			    PMPI_Comm_f2c(*comm));                                                 \
		p##name##_(data, count, type, to, tag, comm, error);                               \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
	}

SENDS(mpi_send, MPI_SEND, Send)
SENDS(mpi_bsend, MPI_BSEND, Bsend)
SENDS(mpi_rsend, MPI_RSEND, Rsend)
SENDS(mpi_ssend, MPI_SSEND, Ssend)

static void note_receive(const struct mpi_comm *comm, const MPI_Fint *status)
{
	MPI_Status c_status;

	if (PMPI_Status_f2c(status, &c_status) == MPI_SUCCESS)
		mpi_note_receive(comm->number, &c_status);
}

ENTRY(mpi_recv, MPI_RECV, (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *from, MPI_Fint *tag,
			      MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Recv);
	const struct mpi_comm *known =
	    entered && mpi_logs ? mpi_comm_find(PMPI_Comm_f2c(*comm)) : NULL;
	struct own_status own;

	if (known != NULL && status == MPI_F_STATUS_IGNORE)
		status = own.words;
	pmpi_recv_(data, count, type, from, tag, comm, status, error);
	if (known != NULL && worked(error))
		note_receive(known, status);
	mpi_call_leave(CALL_MPI_Recv, entered);
}

ENTRY(mpi_sendrecv, MPI_SENDRECV,
    (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *to, MPI_Fint *send_tag, char *in,
	MPI_Fint *in_count, MPI_Fint *in_type, MPI_Fint *from, MPI_Fint *tag, MPI_Fint *comm,
	MPI_Fint *status, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Sendrecv);
	const struct mpi_comm *known =
	    entered && mpi_logs ? mpi_comm_find(PMPI_Comm_f2c(*comm)) : NULL;
	struct own_status own;

	if (known != NULL) {
		if (status == MPI_F_STATUS_IGNORE)
			status = own.words;
		mpi_note_send((uint64_t)*count, PMPI_Type_f2c(*type), *to, *send_tag,
		    PMPI_Comm_f2c(*comm));
	}
	pmpi_sendrecv_(data, count, type, to, send_tag, in, in_count, in_type, from, tag, comm,
	    status, error);
	if (known != NULL && worked(error))
		note_receive(known, status);
	mpi_call_leave(CALL_MPI_Sendrecv, entered);
}

#define BEGINS_SEND(name, NAME, call)                                                              \
	ENTRY(name, NAME, (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *to,              \
			      MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request,                    \
			      MPI_Fint *error))                                                    \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_request send;                                                           \
		bool noted = entered && mpi_logs &&                                                \
			     mpi_describe_send(&send, (uint64_t)*count, PMPI_Type_f2c(*type), *to, \
				 *tag, PMPI_Comm_f2c(*comm));                                      \
		if (noted)                                                                         \
			mpi_begin(&send);                                                          \
		p##name##_(data, count, type, to, tag, comm, request, error);                      \
		if (noted && worked(error))                                                        \
			mpi_request_add(mpi_handle(PMPI_Request_f2c(*request)), &send);            \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
	}

BEGINS_SEND(mpi_isend, MPI_ISEND, Isend)
BEGINS_SEND(mpi_ibsend, MPI_IBSEND, Ibsend)
BEGINS_SEND(mpi_irsend, MPI_IRSEND, Irsend)
BEGINS_SEND(mpi_issend, MPI_ISSEND, Issend)

ENTRY(mpi_irecv, MPI_IRECV, (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *from, MPI_Fint *tag,
				MPI_Fint *comm, MPI_Fint *request, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Irecv);
	struct mpi_request receive;
	bool noted = entered && mpi_logs &&
		     mpi_describe_receive(&receive, *from, PMPI_Comm_f2c(*comm));

	if (noted)
		mpi_begin(&receive);
	pmpi_irecv_(data, count, type, from, tag, comm, request, error);
	if (noted && worked(error))
		mpi_request_add(mpi_handle(PMPI_Request_f2c(*request)), &receive);
	mpi_call_leave(CALL_MPI_Irecv, entered);
}

/*
 * The C form of a wait or test: MPI's own conversion between the two kinds of handles and statuses is
 * what its Fortran binding does, too.
 */
#define TO_C(count, handles, requests)                                                             \
	for (int i = 0; i < (count); i++)                                                          \
	(requests)[i] = PMPI_Request_f2c((handles)[i])
#define TO_FORTRAN(count, handles, requests)                                                       \
	for (int i = 0; i < (count); i++)                                                          \
	(handles)[i] = PMPI_Request_c2f((requests)[i])

ENTRY(mpi_wait, MPI_WAIT, (MPI_Fint * handle, MPI_Fint *status, MPI_Fint *error))
{
	MPI_Request request = PMPI_Request_f2c(*handle);
	MPI_Status own;

	*error = MPI_Wait(&request, &own);
	*handle = PMPI_Request_c2f(request);
	if (worked(error) && status != MPI_F_STATUS_IGNORE)
		PMPI_Status_c2f(&own, status);
}

ENTRY(mpi_test, MPI_TEST, (MPI_Fint * handle, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error))
{
	MPI_Request request = PMPI_Request_f2c(*handle);
	MPI_Status own;
	int done = 0;

	*error = MPI_Test(&request, &done, &own);
	*handle = PMPI_Request_c2f(request);
	*flag = done != 0;
	if (worked(error) && done && status != MPI_F_STATUS_IGNORE)
		PMPI_Status_c2f(&own, status);
}

ENTRY(mpi_waitall, MPI_WAITALL,
    (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *statuses, MPI_Fint *error))
{
	size_t room = *count > 0 ? (size_t)*count : 1;
	MPI_Request *requests = malloc(room * sizeof(*requests));
	MPI_Status *own = malloc(room * sizeof(*own));

	if (requests == NULL || own == NULL) {
		pmpi_waitall_(count, handles, statuses, error); /* not noted, but done */
	} else {
		TO_C(*count, handles, requests);
		*error = MPI_Waitall(*count, requests, own);
		TO_FORTRAN(*count, handles, requests);
		for (int i = 0; statuses != MPI_F_STATUSES_IGNORE && i < *count; i++)
			PMPI_Status_c2f(&own[i], statuses + (size_t)i * MPI_F_STATUS_SIZE);
	}
	free(requests);
	free(own);
}

/* Fortran's MPI_IN_PLACE is an address that only the binding knows: bytes are as without it. */
#define COLLECTIVE(name, NAME, call, operation, parameters, arguments, root, sent, received)       \
	ENTRY(name, NAME, parameters)                                                              \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		const struct mpi_comm *known =                                                     \
		    entered && mpi_logs ? mpi_comm_find(PMPI_Comm_f2c(*comm)) : NULL;              \
		if (known != NULL)                                                                 \
			pomp_rank_note(TRACE_LOG_MPI_COLLECTIVE_BEGIN, 0, NULL);                   \
		p##name##_ arguments;                                                              \
		if (known != NULL) {                                                               \
			int rank = 0, size = 0;                                                    \
			PMPI_Comm_rank(PMPI_Comm_f2c(*comm), &rank);                               \
			PMPI_Comm_size(PMPI_Comm_f2c(*comm), &size);                               \
			pomp_rank_note(TRACE_LOG_MPI_COLLECTIVE_END, known->number,                \
			    (uint64_t[4]){(uint64_t)TRACE_LOG_COLLECTIVE_##operation << 32 |       \
					      (uint32_t)(root),                                    \
				sent, received});                                                  \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		mpi_sync_after(PMPI_Comm_f2c(*comm));                                              \
	}
#define BYTES      mpi_bytes((uint64_t)*count, PMPI_Type_f2c(*type))
#define TO_BYTES   mpi_bytes((uint64_t)*to_count, PMPI_Type_f2c(*to_type))
#define ALL        (uint64_t) size
#define HERE(more) (rank == *root ? (more) : 0)

COLLECTIVE(mpi_barrier, MPI_BARRIER, Barrier, BARRIER, (MPI_Fint * comm, MPI_Fint *error),
    (comm, error), TRACE_LOG_NO_ROOT, 0 * ALL, 0)
COLLECTIVE(mpi_bcast, MPI_BCAST, Bcast, BCAST,
    (char *data, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error),
    (data, count, type, root, comm, error), *root, HERE(ALL * BYTES), BYTES)
COLLECTIVE(mpi_reduce, MPI_REDUCE, Reduce, REDUCE,
    (char *data, char *to, MPI_Fint *count, MPI_Fint *type, MPI_Fint *operation, MPI_Fint *root,
	MPI_Fint *comm, MPI_Fint *error),
    (data, to, count, type, operation, root, comm, error), *root, BYTES, HERE(ALL * BYTES))
COLLECTIVE(mpi_allreduce, MPI_ALLREDUCE, Allreduce, ALLREDUCE,
    (char *data, char *to, MPI_Fint *count, MPI_Fint *type, MPI_Fint *operation, MPI_Fint *comm,
	MPI_Fint *error),
    (data, to, count, type, operation, comm, error), TRACE_LOG_NO_ROOT, ALL * BYTES, ALL * BYTES)
COLLECTIVE(mpi_gather, MPI_GATHER, Gather, GATHER,
    (char *data, MPI_Fint *count, MPI_Fint *type, char *to, MPI_Fint *to_count, MPI_Fint *to_type,
	MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error),
    (data, count, type, to, to_count, to_type, root, comm, error), *root, BYTES,
    HERE(ALL * TO_BYTES))
COLLECTIVE(mpi_scatter, MPI_SCATTER, Scatter, SCATTER,
    (char *data, MPI_Fint *count, MPI_Fint *type, char *to, MPI_Fint *to_count, MPI_Fint *to_type,
	MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error),
    (data, count, type, to, to_count, to_type, root, comm, error), *root, HERE(ALL * BYTES),
    TO_BYTES)
COLLECTIVE(mpi_allgather, MPI_ALLGATHER, Allgather, ALLGATHER,
    (char *data, MPI_Fint *count, MPI_Fint *type, char *to, MPI_Fint *to_count, MPI_Fint *to_type,
	MPI_Fint *comm, MPI_Fint *error),
    (data, count, type, to, to_count, to_type, comm, error), TRACE_LOG_NO_ROOT, ALL * BYTES,
    ALL * TO_BYTES)
COLLECTIVE(mpi_alltoall, MPI_ALLTOALL, Alltoall, ALLTOALL,
    (char *data, MPI_Fint *count, MPI_Fint *type, char *to, MPI_Fint *to_count, MPI_Fint *to_type,
	MPI_Fint *comm, MPI_Fint *error),
    (data, count, type, to, to_count, to_type, comm, error), TRACE_LOG_NO_ROOT, ALL * BYTES,
    ALL * TO_BYTES)

ENTRY(mpi_comm_dup, MPI_COMM_DUP, (MPI_Fint * comm, MPI_Fint *made, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_dup);

	pmpi_comm_dup_(comm, made, error);
	if (mpi_logs && worked(error))
		mpi_comm_made(PMPI_Comm_f2c(*comm), PMPI_Comm_f2c(*made));
	mpi_call_leave(CALL_MPI_Comm_dup, entered);
}

ENTRY(mpi_comm_split, MPI_COMM_SPLIT,
    (MPI_Fint * comm, MPI_Fint *color, MPI_Fint *key, MPI_Fint *made, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_split);

	pmpi_comm_split_(comm, color, key, made, error);
	if (mpi_logs && worked(error))
		mpi_comm_made(PMPI_Comm_f2c(*comm), PMPI_Comm_f2c(*made));
	mpi_call_leave(CALL_MPI_Comm_split, entered);
}

ENTRY(mpi_comm_free, MPI_COMM_FREE, (MPI_Fint * comm, MPI_Fint *error))
{
	bool entered = mpi_call_enter(CALL_MPI_Comm_free);

	if (mpi_logs)
		mpi_comm_forget(PMPI_Comm_f2c(*comm));
	pmpi_comm_free_(comm, error);
	mpi_call_leave(CALL_MPI_Comm_free, entered);
}
