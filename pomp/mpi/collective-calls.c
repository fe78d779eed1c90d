/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations: blocking, nonblocking, persistent, with int and MPI_Count, as far as this
 * MPI has them. On an intercommunicator only their enter and leave are recorded.
 */
#include "notes.h"
#include "requests.h"
#include "sync.h"

/* What is needed to note a collective; `comm` is NULL when there is nothing to note. */
struct collective {
	const struct mpi_comm *comm;
	uint64_t rank, size;
};

static struct collective describe(bool entered, MPI_Comm handle)
{
	struct collective call = {0};
	int rank = 0, size = 0;

	const struct mpi_comm *comm = entered && mpi_logs ? mpi_comm_find(handle) : NULL;
	if (comm == NULL || comm->between)
		return call;
	call.comm = comm;
	PMPI_Comm_rank(handle, &rank);
	PMPI_Comm_size(handle, &size);
	call.rank = (uint64_t)rank;
	call.size = (uint64_t)size;
	return call;
}

static uint64_t operation_word(enum trace_log_collective operation, int64_t root)
{
	return (uint64_t)operation << 32 | (uint32_t)root;
}

/* Counts are int or MPI_Count, which their width tells. */
static uint64_t count_at(const void *counts, size_t width, uint64_t rank)
{
	return width == sizeof(int) ? (uint64_t)((const int *)counts)[rank]
				    : (uint64_t)((const MPI_Count *)counts)[rank];
}

/* Compute how much all ranks send or receive. */
static uint64_t sum(MPI_Datatype type, const void *counts, size_t width, uint64_t size)
{
	uint64_t total = 0;

	for (uint64_t i = 0; i < size; i++)
		total += count_at(counts, width, i);
	return mpi_bytes(total, type);
}

static uint64_t sum_of_types(
    const MPI_Datatype *types, const void *counts, size_t width, uint64_t size)
{
	uint64_t total = 0;

	for (uint64_t i = 0; i < size; i++)
		total += mpi_bytes(count_at(counts, width, i), types[i]);
	return total;
}

/* For the expressions of the list. */
#define PLAIN(type, n)      mpi_bytes((uint64_t)(n), type)
#define HERE                (rank == (uint64_t)root)
#define NOT_IN(buffer)      ((buffer) != MPI_IN_PLACE)
#define SUM(type, counts)   sum(type, counts, sizeof(*(counts)), size)
#define SUMS(types, counts) sum_of_types(types, counts, sizeof(*(counts)), size)

/* Their variables; not every operation uses each. */
#define VARIABLES                                                                                  \
	uint64_t rank __attribute__((unused)) = call.rank;                                         \
	uint64_t size __attribute__((unused)) = call.size

#define COLLECTIVE(name, parameters, arguments, operation, root_rank, sent, received)              \
	int MPI_##name parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##name);                                    \
		struct collective call = describe(entered, comm);                                  \
		if (call.comm != NULL)                                                             \
			pomp_rank_note(TRACE_LOG_MPI_COLLECTIVE_BEGIN, 0, NULL);                   \
		int result = PMPI_##name arguments;                                                \
		if (call.comm != NULL) {                                                           \
			VARIABLES;                                                                 \
			mpi_call_leave_noting(CALL_MPI_##name, TRACE_LOG_MPI_COLLECTIVE_END,       \
			    call.comm->number,                                                     \
			    (uint64_t[4]){                                                         \
				operation_word(TRACE_LOG_COLLECTIVE_##operation, root_rank), sent, \
				received});                                                        \
		} else {                                                                           \
			mpi_call_leave(CALL_MPI_##name, entered);                                  \
		}                                                                                  \
		mpi_sync_after(comm);                                                              \
		return result;                                                                     \
	}

/* lasts: a persistent request, which MPI_Start begins. */
#define BEGINS_COLLECTIVE(                                                                         \
    name, parameters, arguments, lasts, operation, root_rank, sent, received)                      \
	int MPI_##name parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##name);                                    \
		struct collective call = describe(entered, comm);                                  \
		struct mpi_request begun = {.kind = REQUEST_COLLECTIVE, .persistent = lasts};      \
		if (call.comm != NULL) {                                                           \
			VARIABLES;                                                                 \
			begun.comm = call.comm->number;                                            \
			begun.words[0] =                                                           \
			    operation_word(TRACE_LOG_COLLECTIVE_##operation, root_rank);           \
			begun.words[1] = sent;                                                     \
			begun.words[2] = received;                                                 \
			if (!(lasts))                                                              \
				mpi_begin(&begun);                                                 \
		}                                                                                  \
		int result = PMPI_##name arguments;                                                \
		if (call.comm != NULL && result == MPI_SUCCESS)                                    \
			mpi_request_add(mpi_handle(*request), &begun);                             \
		mpi_call_leave(CALL_MPI_##name, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS
