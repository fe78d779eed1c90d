/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a rank, and MPI_Pcontrol(), by which the program controls its profiler. */
#include "notes.h"
#include "sync.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

bool mpi_measures, mpi_logs;
_Thread_local unsigned mpi_depth;

static struct pomp_rank_state state;

/* A group of ranks, and the group's own communicator. */
struct group {
	struct pomp_ranks ranks; /* must be first: functions cast its address to a struct group */
	MPI_Comm comm;
};

/*
 * All ranks, and up to three subsets: those that trace, those of them that can, and those that
 * profile.
 */
enum { MOST_GROUPS = 4 };
static struct group groups[MOST_GROUPS];
static int group_count; /* 0: before MPI_Init and after MPI_Finalize */
static bool syncs;      /* this rank traces */

enum { TAG = 2, PIECE = 1 << 30 };

static void announce(void)
{
	state = pomp_rank_announce();
	mpi_measures = state.measures;
}

/*
 * A library that does not need this one may call MPI before this library's constructor, because its
 * own constructor ran first.
 */
__attribute__((constructor)) static void start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, announce);
}

static MPI_Comm comm_of(const struct pomp_ranks *ranks)
{
	return ((const struct group *)ranks)->comm;
}

static int broadcast_piece(MPI_Comm comm, void *data, int bytes, int root)
{
	return PMPI_Bcast(data, bytes, MPI_BYTE, root, comm);
}

static int send_piece(MPI_Comm comm, void *data, int bytes, int to)
{
	return PMPI_Send(data, bytes, MPI_BYTE, to, TAG, comm);
}

static int receive_piece(MPI_Comm comm, void *data, int bytes, int from)
{
	return PMPI_Recv(data, bytes, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE);
}

/* MPI counts in int: longer data is sent in pieces. */
static int in_pieces(int (*move)(MPI_Comm comm, void *data, int bytes, int rank),
    const struct pomp_ranks *ranks, char *data, size_t bytes, uint32_t rank)
{
	for (size_t done = 0, piece; done < bytes; done += piece) {
		piece = bytes - done < PIECE ? bytes - done : PIECE;
		if (move(comm_of(ranks), data + done, (int)piece, (int)rank) != MPI_SUCCESS)
			return -1;
	}
	return 0;
}

static int broadcast(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t root)
{
	return in_pieces(broadcast_piece, ranks, data, bytes, root);
}

/* The cast is safe: nothing is written to data that is sent. */
static int send(const struct pomp_ranks *ranks, const void *data, size_t bytes, uint32_t to)
{
	return in_pieces(send_piece, ranks, (void *)data, bytes, to);
}

static int receive(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t from)
{
	return in_pieces(receive_piece, ranks, data, bytes, from);
}

static int barrier(const struct pomp_ranks *ranks)
{
	return PMPI_Barrier(comm_of(ranks)) ? -1 : 0;
}

static int sum(const struct pomp_ranks *ranks, uint64_t *values, int count)
{
	return PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, comm_of(ranks))
		   ? -1
		   : 0;
}

static int before(const struct pomp_ranks *ranks, uint64_t *values, int count)
{
	int failed =
	    PMPI_Exscan(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, comm_of(ranks));

	for (int i = 0; ranks->rank == 0 && i < count; i++)
		values[i] = 0; /* MPI leaves them unchanged */
	return failed ? -1 : 0;
}

static const struct pomp_ranks *only(const struct pomp_ranks *ranks, bool yes);

/* Makes a group, which takes ownership of the communicator. */
static const struct pomp_ranks *add_group(MPI_Comm comm)
{
	struct group *group = &groups[group_count++];
	int rank, size, number, program_size;

	PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	PMPI_Comm_rank(MPI_COMM_WORLD, &number);
	PMPI_Comm_size(MPI_COMM_WORLD, &program_size);
	*group = (struct group){
	    .ranks = {(uint32_t)rank, (uint32_t)size, (uint32_t)number, (uint32_t)program_size,
		broadcast, send, receive, barrier, sum, before, only},
	    .comm = comm};
	return &group->ranks;
}

static const struct pomp_ranks *only(const struct pomp_ranks *ranks, bool yes)
{
	MPI_Comm comm = MPI_COMM_NULL;

	if (PMPI_Comm_split(comm_of(ranks), yes ? 0 : MPI_UNDEFINED, (int)ranks->rank, &comm) !=
		MPI_SUCCESS ||
	    comm == MPI_COMM_NULL || group_count == MOST_GROUPS)
		return NULL;
	return add_group(comm);
}

enum { LONG_WAIT = 20, FEW_RANKS = 16 }; /* seconds */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int rank;
} initial_wait = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

/* It is unknown which ranks have arrived, and thousands need not print the same message. */
static bool reports_long_wait(void)
{
	int size = 0;

	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	return size > 1 &&
	       (size <= FEW_RANKS || (initial_wait.rank & (initial_wait.rank - 1)) == 0);
}

/* Waits until all have arrived, or until it takes so long that some may never arrive. */
static void *watch(void *arrived)
{
	struct timespec until;
	int error = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONG_WAIT;
	pthread_mutex_lock(&initial_wait.lock);
	while (!*(bool *)arrived && error == 0)
		error = pthread_cond_timedwait(&initial_wait.changed, &initial_wait.lock, &until);
	if (!*(bool *)arrived)
		fprintf(stderr,
		    "pomp: rank %d has waited in MPI_Init for %d s for all ranks to agree on the "
		    "measuring; if some of them run a program that was built without ompinst, start "
		    "all with POMP_MPI_TOGETHER=no\n",
		    initial_wait.rank, LONG_WAIT);
	pthread_mutex_unlock(&initial_wait.lock);
	return NULL;
}

/*
 * Duplicates the communicator of all ranks. A rank that was built without ompinst never takes part,
 * and there is no way to detect that, because what it sends and receives is its own. The program
 * would then wait forever without any message.
 */
static bool duplicate_world(MPI_Comm *comm)
{
	pthread_t thread;
	sigset_t all, before;
	bool arrived = false;

	if (state.separate)
		return PMPI_Comm_dup(MPI_COMM_SELF, comm) == MPI_SUCCESS;
	PMPI_Comm_rank(MPI_COMM_WORLD, &initial_wait.rank);
	/* Signals must go to the program's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool has_watcher =
	    reports_long_wait() && pthread_create(&thread, NULL, watch, &arrived) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	bool done = PMPI_Comm_dup(MPI_COMM_WORLD, comm) == MPI_SUCCESS;
	pthread_mutex_lock(&initial_wait.lock);
	arrived = true;
	pthread_cond_signal(&initial_wait.changed);
	pthread_mutex_unlock(&initial_wait.lock);
	if (has_watcher)
		pthread_join(thread, NULL);
	return done;
}

/* The end of MPI_Init, or of MPI_Init_thread. */
static void begin(void)
{
	MPI_Comm comm;

	if (group_count > 0 || !duplicate_world(&comm))
		return;
	const struct pomp_ranks *all = add_group(comm);
	struct pomp_rank_agreement agreement = pomp_rank_start(all);
	syncs = agreement.traced != NULL;
	mpi_comms_start(agreement.noting < all->program_size, state.separate);
	if (agreement.traced != NULL)
		mpi_sync_start(comm_of(agreement.traced), state.clock_sync);
	mpi_logs = agreement.noting > 0;
}

/* The beginning of MPI_Finalize. */
static void end(void)
{
	if (group_count == 0)
		return;
	mpi_logs = false;
	if (syncs)
		mpi_sync_finish();
	syncs = false;
	pomp_rank_finish();
	mpi_measures = false;
	while (group_count > 0)
		PMPI_Comm_free(&groups[--group_count].comm);
}

#define INITIALISES(call, parameters, arguments)                                                   \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		start();                                                                           \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		int result = PMPI_##call arguments;                                                \
		if (result == MPI_SUCCESS)                                                         \
			begin();                                                                   \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS

/* Its leave is not measured: the region ends with the measurement. */
int MPI_Finalize(void)
{
	mpi_call_enter(CALL_MPI_Finalize);
	end();
	int result = PMPI_Finalize();
	mpi_call_leave(CALL_MPI_Finalize, false);
	return result;
}

/*
 * MPI leaves the meaning of the levels to the profiler. Here they are the ones that the standard
 * suggests: 0 is off, everything else is on; arguments after the level belong to the program.
 */
int MPI_Pcontrol(const int level, ...)
{
	static _Thread_local bool off PROCESSOR_THREAD_LOCAL;

	if (level == 0 && !off)
		pomp_off();
	else if (level != 0 && off)
		pomp_on();
	off = level == 0;
	return PMPI_Pcontrol(level);
}

/*
 * Always a call of the program, because MPI itself does nothing in this function; some bindings
 * jump here.
 */
#undef PMPI_Pcontrol
int PMPI_Pcontrol(const int level, ...)
{
	return MPI_Pcontrol(level);
}
