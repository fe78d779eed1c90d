/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares clocks. Ranks on one machine share its counter and need no comparison: they are exact.
 * On each other machine one rank, its first, measures against rank 0 and sends the result to the
 * other ranks there.
 *
 * One measurement: the rank sends, and rank 0 answers with its clock's time. The rank takes the
 * elapsed time as that of both directions, and its middle as the moment of the answer. The quickest
 * of several round trips counts; the error is at most half its time.
 *
 * Between the two ends of the run, all ranks must agree on when to compare, which takes a message.
 * After a certain number of collectives on MPI_COMM_WORLD, rank 0 announces to the others whether
 * to compare now, and how many collectives to count until its next announcement. It chooses this
 * number so that there are a few announcements per interval. With a single machine none of this
 * happens.
 */
#include "sync.h"

#include "shared/ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, MOST_COUNT = 1 << 20 };
enum { ENOUGH, QUESTION }; /* what a rank sends to rank 0 */

/* Numbers of round trips, and times in nanoseconds. */
enum {
	ROUNDS = 100,
	BURST = 20,
	BUSY_TESTS = 1000, /* tests before a pause */
	QUICK = 100000,
	LONG = 10000000,
	LONGEST = 100000000,
	REST_SHORT = 20000,
	REST_LONG = 1000000,
};

bool mpi_sync_wanted;

static struct {
	MPI_Comm own;     /* of all tracing ranks, only for this library */
	MPI_Comm machine; /* of the ranks that share this rank's clock */
	int rank;
	int *leader; /* rank 0: the first ranks of the other machines */
	int leader_count;
	bool is_leader;               /* this rank is one of them */
	uint64_t interval;            /* nanoseconds; 0: never in between */
	uint64_t count;               /* collectives until the next announcement */
	uint64_t given;               /* its value at the last announcement */
	uint64_t announced, compared; /* rank 0: times of these, in nanoseconds */
} sync = {.own = MPI_COMM_NULL};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void rest(long nanoseconds)
{
	struct timespec time = {0, nanoseconds};

	nanosleep(&time, NULL);
}

/*
 * A waiting rank yields its processor, because the other rank may need it to answer. A rank that
 * waits for long sleeps a little; when it wakes, it is scheduled immediately, even on a machine
 * without a free processor.
 */
static uint64_t receive(int from)
{
	uint64_t value = 0;
	MPI_Request request;

	PMPI_Irecv(&value, 1, MPI_UINT64_T, from, TAG, sync.own, &request);
	for (int done = 0, times = 0; !done; times++) {
		PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			break;
		if (times < BUSY_TESTS)
			sched_yield();
		else
			rest(REST_SHORT);
	}
	return value;
}

static void send(uint64_t value, int to)
{
	PMPI_Send(&value, 1, MPI_UINT64_T, to, TAG, sync.own);
}

/*
 * Makes bursts of round trips, with pauses in between, until one was as quick as between two
 * running ranks, or until time is up: then every one was interrupted, and the error shows that.
 */
static void measure(struct trace_log_sync *best)
{
	uint64_t start = 0, quickest = UINT64_MAX;

	best->error = UINT64_MAX;
	for (int round = 0; round < ROUNDS || quickest > QUICK; round++) {
		/* In the first round, rank 0 may have answered other machines first. */
		if (round == 1)
			start = now();
		uint64_t spent = round > 0 ? now() - start : 0;
		if (spent > LONGEST || (spent > LONG && quickest <= QUICK))
			break;
		if (round > 0 && round % BURST == 0 && quickest > QUICK)
			rest(REST_LONG);
		uint64_t asked = now(), before = pomp_rank_ticks();
		send(QUESTION, 0);
		uint64_t reference = receive(0), after = pomp_rank_ticks(), took = now() - asked;
		quickest = took < quickest ? took : quickest;
		if (after - before < best->error * 2)
			*best = (struct trace_log_sync){.local = before + (after - before) / 2,
			    .reference = reference,
			    .error = (after - before) / 2 + 1};
	}
	send(ENOUGH, 0);
}

static void answer(int leader)
{
	while (receive(leader) == QUESTION)
		send(pomp_rank_ticks(), leader);
}

/* Called by all ranks. */
static void compare(void)
{
	struct trace_log_sync sync_point = {0};

	for (int i = 0; i < sync.leader_count; i++)
		answer(sync.leader[i]);
	if (sync.is_leader)
		measure(&sync_point);
	PMPI_Bcast(&sync_point, sizeof(sync_point), MPI_BYTE, 0, sync.machine);
	if (sync_point.local != 0)
		pomp_rank_synchronised(&sync_point);
	sync.compared = now();
}

/* Sends the list of the leaders to rank 0. */
static void find_leaders(int size)
{
	int mine = sync.is_leader;
	int *all = sync.rank == 0 ? malloc((size_t)size * sizeof(*all)) : NULL;

	PMPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, sync.own);
	if (all == NULL)
		return;
	for (int rank = 1; rank < size; rank++)
		if (all[rank])
			all[sync.leader_count++] = rank;
	sync.leader = all;
}

void mpi_sync_start(MPI_Comm own, uint64_t interval)
{
	uint64_t mine = pomp_rank_clock(), first[2] = {mine, interval};
	int size, place, several;

	sync.own = own;
	PMPI_Comm_rank(own, &sync.rank);
	PMPI_Comm_size(own, &size);
	/* All ranks must compare equally often: at rank 0's interval. */
	PMPI_Bcast(first, 2, MPI_UINT64_T, 0, own);
	several = mine != first[0];
	sync.interval = first[1];
	PMPI_Allreduce(MPI_IN_PLACE, &several, 1, MPI_INT, MPI_MAX, own);
	if (!several)
		return;
	/* A split takes an int: ranks whose clocks have the same lower bits are split once more. */
	PMPI_Comm_split(own, (int)(mine & 0x3fffffff), sync.rank, &sync.machine);
	MPI_Comm coarse = sync.machine;
	PMPI_Comm_split(coarse, (int)(mine >> 30 & 0x3fffffff), sync.rank, &sync.machine);
	PMPI_Comm_free(&coarse);
	PMPI_Comm_rank(sync.machine, &place);
	sync.is_leader = place == 0 && sync.rank != 0;
	find_leaders(size);
	compare();
	sync.announced = sync.compared;
	sync.count = sync.given = 1;
	mpi_sync_wanted = sync.interval > 0;
}

/*
 * Rank 0: returns how many collectives to count until the next announcement, for about four per
 * interval.
 */
static uint64_t next_count(uint64_t time)
{
	uint64_t took = time - sync.announced + 1;
	double wanted = (double)sync.interval / 4 / (double)took * (double)sync.given;
	double most = (double)sync.given * 2;

	return wanted > most ? (uint64_t)most : wanted < 1 ? 1 : (uint64_t)wanted;
}

void mpi_sync_collective(void)
{
	uint64_t order[2] = {0}; /* the next count, whether to compare */

	if (--sync.count > 0)
		return;
	if (sync.rank == 0) {
		uint64_t time = now();
		order[0] = next_count(time);
		order[0] = order[0] > MOST_COUNT ? MOST_COUNT : order[0];
		order[1] = time - sync.compared >= sync.interval;
		sync.announced = time;
	}
	PMPI_Bcast(order, 2, MPI_UINT64_T, 0, sync.own);
	sync.count = sync.given = order[0];
	if (order[1])
		compare();
}

void mpi_sync_finish(void)
{
	mpi_sync_wanted = false;
	if (sync.machine != MPI_COMM_NULL && sync.own != MPI_COMM_NULL && sync.compared != 0) {
		compare();
		PMPI_Comm_free(&sync.machine);
	}
	free(sync.leader);
	sync.leader = NULL;
	sync.leader_count = 0;
}
