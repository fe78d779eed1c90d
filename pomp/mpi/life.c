/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a rank, and what the program tells its profiler through MPI itself. */
#include "notes.h"
#include "sync.h"

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>

bool mpi_measures, mpi_logs;
_Thread_local unsigned mpi_depth;

static struct pomp_rank_state state;
static MPI_Comm own = MPI_COMM_NULL; /* of all ranks, ours alone */
static bool began;

enum { TAG = 2, PIECE = 1 << 30 };

static void announce(void)
{
	state = pomp_rank_announce();
	mpi_measures = state.measures;
}

/* A library that does not need this one may call MPI before this library's constructor: its own ran first. */
__attribute__((constructor)) static void start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, announce);
}

static int broadcast_piece(void *data, int bytes, int root)
{
	return PMPI_Bcast(data, bytes, MPI_BYTE, root, own);
}

static int send_piece(void *data, int bytes, int to)
{
	return PMPI_Send(data, bytes, MPI_BYTE, to, TAG, own);
}

static int receive_piece(void *data, int bytes, int from)
{
	return PMPI_Recv(data, bytes, MPI_BYTE, from, TAG, own, MPI_STATUS_IGNORE);
}

/* MPI counts in int: what is longer goes in pieces. */
static int in_pieces(
    int (*move)(void *data, int bytes, int rank), char *data, size_t bytes, uint32_t rank)
{
	for (size_t done = 0, piece; done < bytes; done += piece) {
		piece = bytes - done < PIECE ? bytes - done : PIECE;
		if (move(data + done, (int)piece, (int)rank) != MPI_SUCCESS)
			return -1;
	}
	return 0;
}

static int broadcast(void *data, size_t bytes, uint32_t root)
{
	return in_pieces(broadcast_piece, data, bytes, root);
}

/* Of what is sent, nothing is written. */
static int send(const void *data, size_t bytes, uint32_t to)
{
	return in_pieces(send_piece, (void *)data, bytes, to);
}

static int receive(void *data, size_t bytes, uint32_t from)
{
	return in_pieces(receive_piece, data, bytes, from);
}

static int barrier(void)
{
	return PMPI_Barrier(own) ? -1 : 0;
}

static int sum(uint64_t *values, int count)
{
	return PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, own) ? -1 : 0;
}

static int before(uint64_t *values, int count)
{
	int rank, failed = PMPI_Exscan(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, own);

	PMPI_Comm_rank(own, &rank);
	for (int i = 0; rank == 0 && i < count; i++)
		values[i] = 0; /* MPI leaves them as they are */
	return failed ? -1 : 0;
}

/* The end of MPI_Init, of whatever name. */
static void begin(void)
{
	static struct pomp_ranks ranks = {.broadcast = broadcast,
	    .send = send,
	    .receive = receive,
	    .barrier = barrier,
	    .sum = sum,
	    .before = before};
	int rank, size;

	if (began || PMPI_Comm_dup(MPI_COMM_WORLD, &own) != MPI_SUCCESS)
		return;
	began = true;
	PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
	PMPI_Comm_rank(own, &rank);
	PMPI_Comm_size(own, &size);
	ranks.rank = (uint32_t)rank;
	ranks.size = (uint32_t)size;
	pomp_rank_start(&ranks);
	mpi_comms_start();
	mpi_sync_start(own, state.clock_sync);
	mpi_logs = state.measures && state.logs;
}

/* The beginning of MPI_Finalize. */
static void end(void)
{
	if (!began)
		return;
	began = false;
	mpi_logs = false;
	mpi_sync_finish();
	pomp_rank_finish();
	mpi_measures = false;
	PMPI_Comm_free(&own);
}

int MPI_Init(int *count, char ***arguments)
{
	start();
	bool entered = mpi_call_enter(CALL_MPI_Init);
	int result = PMPI_Init(count, arguments);

	if (result == MPI_SUCCESS)
		begin();
	mpi_call_leave(CALL_MPI_Init, entered);
	return result;
}

int MPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
	start();
	bool entered = mpi_call_enter(CALL_MPI_Init_thread);
	int result = PMPI_Init_thread(count, arguments, required, provided);

	if (result == MPI_SUCCESS)
		begin();
	mpi_call_leave(CALL_MPI_Init_thread, entered);
	return result;
}

/* Its leave is not measured any more: the region ends with the measuring. */
int MPI_Finalize(void)
{
	mpi_call_enter(CALL_MPI_Finalize);
	end();
	int result = PMPI_Finalize();
	mpi_call_leave(CALL_MPI_Finalize, false);
	return result;
}

/*
 * MPI leaves to the profiler what the levels mean. Ours are those that the standard suggests:
 * 0 off, everything else on; what follows the level is the program's own.
 */
int MPI_Pcontrol(const int level, ...)
{
	static _Thread_local bool off;

	if (level == 0 && !off)
		pomp_off();
	else if (level != 0 && off)
		pomp_on();
	off = level == 0;
	return PMPI_Pcontrol(level);
}

/* Means the program's in any case: there is nothing that MPI itself does, and some bindings jump here. */
#undef PMPI_Pcontrol
int PMPI_Pcontrol(const int level, ...)
{
	return MPI_Pcontrol(level);
}
