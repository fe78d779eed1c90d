/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of MPI that wait for each other: planted ones, by chance, and what is wrong with messages.
 */
#include <stdlib.h>

#include "mpi-writer.h"
#include "scenarios.h"

/* Ranks of two threads; their masters. */
enum { RANKS = 4, THREADS = 2 };

static int master(int rank)
{
	return rank * THREADS;
}

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* All members of the communicator enter and leave `cost` after what they need has come. */
static void call_together(struct writer *writer, enum mpi_comm comm, enum mpi_call call,
    OTF2_CollectiveOp operation, uint32_t root, uint64_t cost)
{
	int members[RANKS], count = mpi_members(writer, comm, members);
	uint64_t last = 0, before = 0, begun;

	begun = root < (uint32_t)count ? writer->now[master(members[root])] : 0;
	for (int i = 0; i < count; i++)
		last = later(last, writer->now[master(members[i])]);
	for (int i = 0; i < count; i++) {
		int thread = master(members[i]);
		uint64_t needed = last;

		before = later(before, writer->now[thread]);
		if (operation == OTF2_COLLECTIVE_OP_BCAST)
			needed = begun;
		if (operation == OTF2_COLLECTIVE_OP_REDUCE && i != (int)root)
			needed = 0;
		if (operation == OTF2_COLLECTIVE_OP_SCAN)
			needed = before;
		mpi_enter(writer, thread, call);
		mpi_collective_begin(writer, thread);
		writer->now[thread] = later(writer->now[thread], needed) + cost;
		mpi_collective(writer, thread, comm, operation, root);
		mpi_leave(writer, thread, call, 0);
	}
}

/* A message from one thread to another; a held send continues when the receive was entered. */
static void pass(struct writer *writer, int from, int to, uint32_t tag, bool held, uint64_t cost)
{
	uint64_t sent = writer->now[from], posted = writer->now[to];

	mpi_enter(writer, from, CALL_SEND);
	mpi_send(writer, from, COMM_WORLD, (uint32_t)(to / THREADS), tag);
	mpi_leave(writer, from, CALL_SEND, (held ? later(sent, posted) : sent) + cost);
	mpi_enter(writer, to, CALL_RECV);
	writer->now[to] = later(sent, posted) + cost;
	mpi_recv(writer, to, COMM_WORLD, (uint32_t)(from / THREADS), tag);
	mpi_leave(writer, to, CALL_RECV, 0);
}

/*
 * Four ranks of two threads. Rank 1 waits 50 ms for rank 0's message (late sender), rank 2 is held
 * 30 ms by rank 3 (late receiver), which then waits in MPI_Waitall 25 ms for the later one of two
 * messages of rank 0; a broadcast waits for its root, a reduction for its last rank; in a parallel
 * region thread 1 of rank 1 has 100 ms more to do, and all others wait for rank 1 at the barrier.
 */
void scenario_hybrid(struct writer *writer, long n)
{
	(void)n;
	mpi_open(writer, RANKS, false);
	for (int rank = 0; rank < RANKS; rank++)
		OTF2_EvtWriter_ProgramBegin(
		    writer->events[master(rank)], NULL, writer->now[master(rank)], 0, 0, NULL);
	writer_work(writer, master(0), 50 * MS);
	pass(writer, master(0), master(1), 1, false, 1 * MS);
	writer_work(writer, master(3), 30 * MS);
	pass(writer, master(2), master(3), 2, true, 1 * MS);
	/* now: 51, 51, 31, 31 */
	for (uint64_t request = 1; request <= 2; request++) {
		mpi_enter(writer, master(3), CALL_IRECV);
		mpi_irecv_request(writer, master(3), request);
		mpi_leave(writer, master(3), CALL_IRECV, 0);
		mpi_enter(writer, master(0), CALL_ISEND);
		mpi_isend(writer, master(0), COMM_WORLD, 3, (uint32_t)(2 + request), request);
		writer_work(writer, master(0), 5 * MS);
		mpi_leave(writer, master(0), CALL_ISEND, 0);
	}
	mpi_enter(writer, master(3), CALL_WAITALL); /* at 31, until the second is sent at 56 */
	writer_work(writer, master(3), 26 * MS);
	mpi_irecv(writer, master(3), COMM_WORLD, 0, 3, 1);
	mpi_irecv(writer, master(3), COMM_WORLD, 0, 4, 2);
	mpi_leave(writer, master(3), CALL_WAITALL, 0);
	mpi_enter(writer, master(0), CALL_WAITALL); /* at 61: both were let go */
	mpi_isend_complete(writer, master(0), 1);
	mpi_isend_complete(writer, master(0), 2);
	mpi_leave(writer, master(0), CALL_WAITALL, 0);
	/* now: 61, 51, 31, 57 */
	call_together(writer, COMM_WORLD, CALL_BCAST, OTF2_COLLECTIVE_OP_BCAST, 1, 1 * MS);
	/* now: 62, 52, 52, 58 */
	call_together(writer, COMM_WORLD, CALL_REDUCE, OTF2_COLLECTIVE_OP_REDUCE, 2, 1 * MS);
	/* now: 63, 53, 63, 59 */
	for (int rank = 0; rank < RANKS; rank++) {
		OTF2_CommRef team = writer_team(writer, rank);

		writer_fork(writer, master(rank), THREADS, team, PARALLEL, 0);
		for (int t = 0; t < THREADS; t++)
			writer_work(
			    writer, master(rank) + t, rank == 1 && t == 1 ? 120 * MS : 20 * MS);
		writer_join(writer, master(rank), THREADS, team, PARALLEL, PARALLEL_BARRIER, 0);
	}
	/* now: 83, 173, 83, 79 */
	call_together(writer, COMM_WORLD, CALL_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
	    OTF2_COLLECTIVE_ROOT_NONE, 1 * MS);
	for (int rank = 0; rank < RANKS; rank++)
		OTF2_EvtWriter_ProgramEnd(
		    writer->events[master(rank)], NULL, writer->now[master(rank)], 0);
}

/*
 * Four ranks of two threads: 10 ms serial, 80 ms in MPI, which is no wait for others, 10 ms of work
 * in a team. Of n = 1 the call is outside of the team, so that thread 1 idles; of n = 2 within it,
 * so that thread 1 waits at a barrier. Of n = 3 there are no teams, of n = 4 in rank 0 alone, and
 * all other ranks work by themselves.
 */
void scenario_funneled(struct writer *writer, long n)
{
	mpi_open(writer, RANKS, false);
	for (int rank = 0; rank < RANKS; rank++) {
		OTF2_EvtWriter_ProgramBegin(
		    writer->events[master(rank)], NULL, writer->now[master(rank)], 0, 0, NULL);
		writer_work(writer, master(rank), 10 * MS);
		if (n == 2)
			writer_fork(
			    writer, master(rank), THREADS, writer_team(writer, rank), PARALLEL, 0);
	}
	call_together(writer, COMM_WORLD, CALL_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE,
	    OTF2_COLLECTIVE_ROOT_NONE, 80 * MS);
	for (int rank = 0; rank < RANKS; rank++) {
		bool has_team = n < 3 || (n == 4 && rank == 0);

		if (n == 2)
			writer_barrier(writer, master(rank), THREADS, BARRIER);
		else if (has_team)
			writer_fork(
			    writer, master(rank), THREADS, writer_team(writer, rank), PARALLEL, 0);
		for (int t = 0; t < (has_team ? THREADS : 1); t++)
			writer_work(writer, master(rank) + t, 10 * MS);
		if (has_team)
			writer_join(writer, master(rank), THREADS, writer_team(writer, rank),
			    PARALLEL, PARALLEL_BARRIER, 0);
		OTF2_EvtWriter_ProgramEnd(
		    writer->events[master(rank)], NULL, writer->now[master(rank)], 0);
	}
}

static uint64_t some(uint64_t most)
{
	return 1 + (uint64_t)random() % most;
}

/* Both ends nonblocking, completed by one call each, in which a message may end at once. */
static void exchange(struct writer *writer, int one, int other, uint64_t *request)
{
	int threads[2] = {one, other};
	uint64_t sent[2], first = *request;

	for (int i = 0; i < 2; i++) {
		mpi_enter(writer, threads[i], CALL_IRECV);
		mpi_irecv_request(writer, threads[i], first);
		mpi_leave(writer, threads[i], CALL_IRECV, writer->now[threads[i]] + some(10 * US));
		writer_work(writer, threads[i], some(300 * US));
		sent[i] = writer->now[threads[i]];
		mpi_enter(writer, threads[i], CALL_ISEND);
		mpi_isend(writer, threads[i], COMM_WORLD, (uint32_t)(threads[1 - i] / THREADS), 7,
		    first + 1);
		mpi_leave(writer, threads[i], CALL_ISEND, writer->now[threads[i]] + some(10 * US));
		writer_work(writer, threads[i], some(300 * US));
	}
	for (int i = 0; i < 2; i++) {
		int thread = threads[i];

		mpi_enter(writer, thread, CALL_WAITALL);
		writer->now[thread] = later(writer->now[thread], sent[1 - i]) + some(20 * US);
		mpi_irecv(
		    writer, thread, COMM_WORLD, (uint32_t)(threads[1 - i] / THREADS), 7, first);
		mpi_isend_complete(writer, thread, first + 1);
		mpi_leave(writer, thread, CALL_WAITALL, 0);
	}
	*request += 2;
}

/* Begun by all, completed by each when the last had begun. */
static void collective_in_background(struct writer *writer, uint64_t *request)
{
	uint64_t last = 0;

	for (int rank = 0; rank < RANKS; rank++) {
		last = later(last, writer->now[master(rank)]);
		mpi_enter(writer, master(rank), CALL_IALLREDUCE);
		mpi_collective_request(writer, master(rank), *request);
		mpi_leave(writer, master(rank), CALL_IALLREDUCE, 0);
		writer_work(writer, master(rank), some(500 * US));
	}
	for (int rank = 0; rank < RANKS; rank++) {
		mpi_enter(writer, master(rank), CALL_WAITALL);
		writer->now[master(rank)] = later(writer->now[master(rank)], last) + some(20 * US);
		mpi_collective_done(
		    writer, master(rank), COMM_WORLD, OTF2_COLLECTIVE_OP_ALLREDUCE, *request);
		mpi_leave(writer, master(rank), CALL_WAITALL, 0);
	}
	*request += 1;
}

/* A team of each rank; thread 1 may send to the next rank's thread 1 in it. */
static void work_in_teams(struct writer *writer)
{
	for (int rank = 0; rank < RANKS; rank++) {
		writer_fork(writer, master(rank), THREADS, writer_team(writer, rank), PARALLEL,
		    some(5 * US));
		writer_region(writer, master(rank), LOOP_NOWAIT, some(1 * MS));
		writer_region(writer, master(rank) + 1, LOOP_NOWAIT, some(1 * MS));
	}
	for (int rank = 0; rank < RANKS; rank += 2)
		pass(writer, master(rank) + 1, master(rank + 1) + 1, 9, random() % 2 != 0,
		    some(50 * US));
	for (int rank = 0; rank < RANKS; rank++)
		writer_join(writer, master(rank), THREADS, writer_team(writer, rank), PARALLEL,
		    PARALLEL_BARRIER, some(5 * US));
}

static void random_collective(struct writer *writer)
{
	static const struct {
		enum mpi_call call;
		OTF2_CollectiveOp operation;
		bool root;
	} kinds[] = {
	    {CALL_BARRIER, OTF2_COLLECTIVE_OP_BARRIER, false},
	    {CALL_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, false},
	    {CALL_BCAST, OTF2_COLLECTIVE_OP_BCAST, true},
	    {CALL_REDUCE, OTF2_COLLECTIVE_OP_REDUCE, true},
	    {CALL_SCAN, OTF2_COLLECTIVE_OP_SCAN, false},
	};
	enum mpi_comm comm = random() % 3 ? COMM_WORLD : COMM_SOME;
	size_t kind = (size_t)random() % (sizeof(kinds) / sizeof(kinds[0]));

	call_together(writer, comm, kinds[kind].call, kinds[kind].operation,
	    kinds[kind].root ? (uint32_t)random() % 3 : OTF2_COLLECTIVE_ROOT_NONE, some(20 * US));
}

/* Sixty steps by chance, n the seed; of more than a thousand as many steps. */
void scenario_messages(struct writer *writer, long n)
{
	uint64_t request = 1;

	srandom((unsigned)n);
	mpi_open(writer, RANKS, false);
	for (int rank = 0; rank < RANKS; rank++)
		writer_enter(writer, master(rank), MAIN);
	for (long step = 0; step < (n > 1000 ? n : 60); step++) {
		int one = (int)(random() % RANKS), other = (one + 1 + (int)(random() % 3)) % RANKS;

		for (int rank = 0; rank < RANKS; rank++)
			writer_work(writer, master(rank), some(200 * US));
		switch (random() % 6) {
		case 0:
		case 1:
			pass(writer, master(one), master(other), (uint32_t)random() % 3,
			    random() % 2 != 0, some(30 * US));
			break;
		case 2:
			exchange(writer, master(one), master(other), &request);
			break;
		case 3:
			collective_in_background(writer, &request);
			break;
		case 4:
			work_in_teams(writer);
			break;
		default:
			random_collective(writer);
			break;
		}
	}
	for (int rank = 0; rank < RANKS; rank++)
		writer_leave(writer, master(rank), MAIN);
}

/* Messages of one tag and several sizes, of which the last is completed first: that is right. */
static void pass_out_of_order(struct writer *writer, int from, int to)
{
	static const uint64_t bytes[] = {100, 200, 300};
	static const int order[] = {2, 0, 1};
	OTF2_CommRef world = writer_comms(writer) + COMM_WORLD;

	for (int i = 0; i < 3; i++) {
		OTF2_EvtWriter_MpiSend(writer->events[from], NULL, writer->now[from],
		    (uint32_t)(to / THREADS), world, 20, bytes[i]);
		mpi_irecv_request(writer, to, (uint64_t)(100 + i));
	}
	writer_work(writer, to, 1 * US);
	for (int i = 0; i < 3; i++)
		OTF2_EvtWriter_MpiIrecv(writer->events[to], NULL, writer->now[to],
		    (uint32_t)(from / THREADS), world, 20, bytes[order[i]],
		    (uint64_t)(100 + order[i]));
}

/*
 * Two sends that are not received, a receive that was not sent, one of fewer bytes than were sent;
 * a message that arrives before it is sent; a collective that rank 3 does not end, one that rank 1
 * does not, one whose operation differs in rank 2 and that rank 0 did not begin; requests completed
 * twice, begun twice, never done; messages between two groups, on a communicator without definition
 * and to a rank that is not in it; and a request that is rightly cancelled.
 */
void scenario_astray(struct writer *writer, long n)
{
	int thread = master(0), other = master(1);

	(void)n;
	mpi_open(writer, RANKS, true);
	for (int rank = 0; rank < RANKS; rank++)
		mpi_enter(writer, master(rank), CALL_WAITALL);
	mpi_send(writer, thread, COMM_WORLD, 1, 1);
	mpi_send(writer, thread, COMM_WORLD, 2, 1);
	mpi_recv(writer, thread, COMM_WORLD, 3, 5);
	mpi_send(writer, thread, COMM_WORLD, 1, 6);
	writer_work(writer, other, 1 * US);
	OTF2_EvtWriter_MpiRecv(writer->events[other], NULL, writer->now[other], 0,
	    writer_comms(writer) + COMM_WORLD, 6, 4);
	mpi_recv(writer, other, COMM_WORLD, 0, 8);
	writer_work(writer, thread, 9 * US);
	mpi_send(writer, thread, COMM_WORLD, 1, 8);
	mpi_send(writer, thread, COMM_INTER, 0, 1);
	mpi_recv(writer, other, COMM_UNDEFINED, 0, 1);
	mpi_send(writer, thread, COMM_WORLD, 77, 1);
	for (int rank = 0; rank < RANKS - 1; rank++) {
		mpi_collective_begin(writer, master(rank));
		mpi_collective(writer, master(rank), COMM_WORLD, OTF2_COLLECTIVE_OP_BARRIER,
		    OTF2_COLLECTIVE_ROOT_NONE);
	}
	for (int rank = 0; rank < RANKS; rank++) {
		if (rank != 0)
			mpi_collective_begin(writer, master(rank));
		if (rank != 1)
			mpi_collective(writer, master(rank), COMM_SOME,
			    rank == 2 ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_REDUCE, 0);
	}
	pass_out_of_order(writer, master(2), master(3));
	mpi_irecv_request(writer, thread, 1);
	mpi_irecv_request(writer, thread, 1);
	mpi_isend_complete(writer, thread, 2);
	mpi_irecv_request(writer, thread, 3);
	mpi_cancelled(writer, thread, 3);
	for (int rank = 0; rank < RANKS; rank++)
		mpi_leave(writer, master(rank), CALL_WAITALL, writer->now[master(rank)] + 5 * US);
}

/* n ranks on a machine with a long name, each of which works for a while. */
void scenario_cluster(struct writer *writer, long n)
{
	mpi_open(writer, (int)n, false);
	writer->machine = "node-001234.cluster.example";
	for (int rank = 0; rank < (int)n; rank++) {
		int first = rank * FLEET_THREADS;

		writer_enter(writer, first, MAIN);
		mpi_enter(writer, first, CALL_SEND);
		mpi_leave(writer, first, CALL_SEND, (uint64_t)(rank + 1) * US);
		writer_fork(
		    writer, first, FLEET_THREADS, writer_team(writer, rank), PARALLEL, 1 * US);
		for (int t = 0; t < FLEET_THREADS; t++)
			writer_work(writer, first + t, 10 * US);
		writer_join(writer, first, FLEET_THREADS, writer_team(writer, rank), PARALLEL,
		    PARALLEL_BARRIER, 1 * US);
		writer_leave(writer, first, MAIN);
	}
}

/*
 * The same, with the ranks in turn on two machines, of which the second is the first by name; then
 * each rank has its own time.
 */
void scenario_nodes(struct writer *writer, long n)
{
	scenario_cluster(writer, n);
	writer->second_machine = "node-000001.cluster.example";
	for (int rank = 0; rank < (int)n; rank++) {
		writer_enter(writer, rank * FLEET_THREADS, MAIN);
		writer_work(writer, rank * FLEET_THREADS, (uint64_t)(rank + 1) * US);
		writer_leave(writer, rank * FLEET_THREADS, MAIN);
	}
}
