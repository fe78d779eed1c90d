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

/* Computes how much all ranks send or receive, from their counts; COUNT is int or MPI_Count. */
#define SUMS_OF(COUNT, suffix)                                                                     \
	static uint64_t sum_##suffix(MPI_Datatype type, const COUNT *counts, uint64_t size)        \
	{                                                                                          \
		uint64_t sum = 0;                                                                  \
		for (uint64_t i = 0; i < size; i++)                                                \
			sum += (uint64_t)counts[i];                                                \
		return mpi_bytes(sum, type);                                                       \
	}                                                                                          \
	static uint64_t sums_##suffix(                                                             \
	    const MPI_Datatype *types, const COUNT *counts, uint64_t size)                         \
	{                                                                                          \
		uint64_t sum = 0;                                                                  \
		for (uint64_t i = 0; i < size; i++)                                                \
			sum += mpi_bytes((uint64_t)counts[i], types[i]);                           \
		return sum;                                                                        \
	}

SUMS_OF(int, int)

#define OPEN(...) __VA_ARGS__

/* The variables in the list's expressions; not every operation uses each. */
#define VARIABLES                                                                                  \
	uint64_t rank __attribute__((unused)) = call.rank;                                         \
	uint64_t size __attribute__((unused)) = call.size

#define BLOCKING(name, operation, parameters, arguments, root_rank, sent, received)                \
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

/* lasts: a persistent request, which MPI_Start begins; `more`: parameters of its own. */
#define BEGINS(name, lasts, operation, parameters, more, arguments, more_arguments, root_rank,     \
    sent, received)                                                                                \
	int MPI_##name(OPEN parameters, OPEN more MPI_Request *request)                            \
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
		int result = PMPI_##name(OPEN arguments, OPEN more_arguments request);             \
		if (call.comm != NULL && result == MPI_SUCCESS)                                    \
			mpi_request_add(mpi_handle(*request), &begun);                             \
		mpi_call_leave(CALL_MPI_##name, entered);                                          \
		return result;                                                                     \
	}

#define NONBLOCKING(name, operation, parameters, arguments, root, sent, received)                  \
	BEGINS(name, false, operation, parameters, (), arguments, (), root, sent, received)

#ifdef HAVE_MPI_Bcast_init
#define PERSISTENT(name, operation, parameters, arguments, root, sent, received)                   \
	BEGINS(name, true, operation, parameters, (MPI_Info info, ), arguments, (info, ), root,    \
	    sent, received)
#else
#define PERSISTENT(...)
#endif

BLOCKING(Barrier, BARRIER, (MPI_Comm comm), (comm), TRACE_LOG_NO_ROOT, 0, 0)
// cppcheck-suppress unknownMacro ; it does not see that OPEN takes the parentheses off
NONBLOCKING(Ibarrier, BARRIER, (MPI_Comm comm), (comm), TRACE_LOG_NO_ROOT, 0, 0)
PERSISTENT(Barrier_init, BARRIER, (MPI_Comm comm), (comm), TRACE_LOG_NO_ROOT, 0, 0)

#define COUNT               int
#define OFFSET              int
#define SUM(type, counts)   sum_int(type, counts, size)
#define SUMS(types, counts) sums_int(types, counts, size)
#define COLLECTIVE(name, begun, operation, parameters, arguments, root, sent, received)            \
	BLOCKING(name, operation, parameters, (OPEN arguments), root, sent, received)              \
	NONBLOCKING(begun, operation, parameters, arguments, root, sent, received)                 \
	PERSISTENT(name##_init, operation, parameters, arguments, root, sent, received)
#include "collective-list.h"
#undef COUNT
#undef OFFSET
#undef SUM
#undef SUMS
#undef COLLECTIVE

#ifdef HAVE_MPI_Bcast_c
SUMS_OF(MPI_Count, count)

#define COUNT               MPI_Count
#define OFFSET              MPI_Aint
#define SUM(type, counts)   sum_count(type, counts, size)
#define SUMS(types, counts) sums_count(types, counts, size)
#define COLLECTIVE(name, begun, operation, parameters, arguments, root, sent, received)            \
	BLOCKING(name##_c, operation, parameters, (OPEN arguments), root, sent, received)          \
	NONBLOCKING(begun##_c, operation, parameters, arguments, root, sent, received)             \
	PERSISTENT(name##_init_c, operation, parameters, arguments, root, sent, received)
#include "collective-list.h"
#endif
