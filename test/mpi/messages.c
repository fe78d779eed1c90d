/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every way to send and receive, with two ranks or more: each rank exchanges with its neighbours in
 * a ring. Prints on rank 0 how many messages and bytes all ranks sent, from its own counting.
 *
 *   messages calls     each kind of call
 *   messages threads   two threads of each rank at once (MPI_THREAD_MULTIPLE)
 *   messages killed    rank 1 dies of SIGKILL after the exchange
 *   messages abort     rank 0 calls MPI_Abort after it
 *   messages late      rank 0 sends 50 ms after rank 1 waits
 *   messages long      two seconds of messages and barriers
 *   messages unequal   thread 1 of rank 1 works 100 ms longer than all others
 */
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, size, next, previous;
static long long sent, bytes;

static void count(int many, int length)
{
#pragma omp atomic
	sent += many;
#pragma omp atomic
	bytes += (long long)many * length;
}

static void pause_for(double milliseconds)
{
	struct timespec time = {0, (long)(milliseconds * 1e6)};

	nanosleep(&time, NULL);
}

/* Milliseconds of processor time. */
static double ran(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void work_for(double milliseconds)
{
	for (double start = ran(); ran() - start < milliseconds;)
		;
}

/* Milliseconds, the same at all ranks of a machine. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void exchange_blocking(MPI_Comm comm)
{
	double out[16] = {rank}, in[16];
	MPI_Status status;

	if (rank == 0) {
		MPI_Send(out, 16, MPI_DOUBLE, next, 1, comm);
		MPI_Recv(in, 16, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
	} else {
		MPI_Recv(in, 16, MPI_DOUBLE, previous, 1, comm, MPI_STATUS_IGNORE);
		MPI_Ssend(out, 8, MPI_DOUBLE, next, 2 - (next != 0), comm);
	}
	count(1, rank == 0 ? 128 : 64);
	MPI_Sendrecv(
	    out, 4, MPI_DOUBLE, next, 3, in, 4, MPI_DOUBLE, previous, 3, comm, MPI_STATUS_IGNORE);
	count(1, 32);
	MPI_Sendrecv_replace(in, 2, MPI_DOUBLE, previous, 4, next, 4, comm, &status);
	count(1, 16);
	MPI_Send(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, comm);
	MPI_Recv(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, comm, MPI_STATUS_IGNORE);
}

static void exchange_probed(MPI_Comm comm)
{
	int out[3] = {0}, in[3];
	MPI_Message message;
	MPI_Request requests[2];
	MPI_Status status;

	MPI_Isend(out, 3, MPI_INT, next, 5, comm, &requests[0]);
	MPI_Mprobe(MPI_ANY_SOURCE, 5, comm, &message, &status);
	MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Isend(out, 3, MPI_INT, next, 6, comm, &requests[0]);
	MPI_Mprobe(previous, 6, comm, &message, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 3, MPI_INT, &message, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	count(2, 12);
}

/* Forty at once: more than a call's own room. */
static void exchange_many(MPI_Comm comm)
{
	enum { MANY = 40 };
	MPI_Request requests[2 * MANY];
	MPI_Status statuses[2 * MANY];
	int in[MANY], out[MANY], done, indices[2 * MANY], index, flag, left;

	for (int way = 0; way < 5; way++) {
		for (int i = 0; i < MANY; i++) {
			out[i] = i;
			MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? previous : MPI_ANY_SOURCE, 10 + i,
			    comm, &requests[i]);
		}
		for (int i = 0; i < MANY; i++)
			MPI_Isend(&out[i], 1, MPI_INT, next, 10 + i, comm, &requests[MANY + i]);
		count(MANY, 4);
		switch (way) {
		case 0:
			MPI_Waitall(2 * MANY, requests, statuses);
			break;
		case 1:
			for (left = 2 * MANY; left > 0; left -= done)
				MPI_Waitsome(
				    2 * MANY, requests, &done, indices, MPI_STATUSES_IGNORE);
			break;
		case 2:
			for (left = 2 * MANY; left > 0; left--)
				MPI_Waitany(2 * MANY, requests, &index, statuses);
			break;
		case 3:
			for (left = 2 * MANY; left > 0; left -= flag)
				MPI_Testany(2 * MANY, requests, &index, &flag, MPI_STATUS_IGNORE);
			break;
		default:
			for (int i = 0; i < 2 * MANY; i++)
				for (flag = 0; !flag;)
					MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
			break;
		}
	}
}

static void exchange_persistent(MPI_Comm comm)
{
	char in[100], out[100] = {0};
	MPI_Request requests[2], cancelled;

	MPI_Recv_init(in, 100, MPI_CHAR, previous, 7, comm, &requests[0]);
	MPI_Send_init(out, 100, MPI_CHAR, next, 7, comm, &requests[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&requests[0]);
	MPI_Start(&requests[1]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	count(4, 100);
	MPI_Irecv(in, 1, MPI_CHAR, previous, 99, comm, &cancelled);
	MPI_Cancel(&cancelled);
	MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
}

/* What only MPI 4 has. */
static void exchange_newly(MPI_Comm comm)
{
#if MPI_VERSION >= 4
	int in[8] = {0}, out[8] = {rank}, sum;
	MPI_Request requests[2];

	MPI_Isendrecv(out, 8, MPI_INT, next, 31, in, 8, MPI_INT, previous, 31, comm, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Isendrecv_replace(in, 8, MPI_INT, next, 32, previous, 32, comm, &requests[0]);
	for (int flag = 0; !flag;)
		MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
	count(2, 32);
	MPI_Psend_init(out, 4, 2, MPI_INT, next, 33, comm, MPI_INFO_NULL, &requests[0]);
	MPI_Precv_init(in, 4, 2, MPI_INT, previous, 33, comm, MPI_INFO_NULL, &requests[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, requests);
		MPI_Pready_range(0, 3, requests[0]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	count(2, 32);
	MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[0]);
	MPI_Barrier_init(comm, MPI_INFO_NULL, &requests[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
#else
	(void)comm;
#endif
}

static void run_collectives(MPI_Comm comm)
{
	int one = 1, all[64], counts[64], places[64], members, own;
	MPI_Request request;

	MPI_Comm_size(comm, &members);
	MPI_Comm_rank(comm, &own);
	for (int i = 0; i < members; i++) {
		counts[i] = 1;
		places[i] = i;
	}
	MPI_Barrier(comm);
	MPI_Bcast(&one, 1, MPI_INT, members - 1, comm);
	MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, comm);
	MPI_Reduce(&own, &one, 1, MPI_INT, MPI_MAX, 0, comm);
	MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
	MPI_Gatherv(&one, 1, MPI_INT, all, counts, places, MPI_INT, 0, comm);
	MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, comm);
	MPI_Alltoallv(all, counts, places, MPI_INT, all + 32, counts, places, MPI_INT, comm);
	MPI_Iallreduce(&own, &one, 1, MPI_INT, MPI_SUM, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ibarrier(comm, &request);
	for (int flag = 0; !flag;)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

/* The odd ranks and the even ones, as two groups and then as one; where both are as many. */
static void exchange_between(MPI_Comm half)
{
	MPI_Comm between, again, merged;
	int place, members, others, in = -1, out = rank;

	MPI_Comm_rank(half, &place);
	MPI_Comm_size(half, &members);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 77, &between);
	MPI_Comm_set_name(between, "odd and even");
	MPI_Comm_dup(between, &again);
	MPI_Comm_remote_size(between, &others);
	if (members == others) {
		MPI_Request requests[2];
		MPI_Sendrecv(&out, 1, MPI_INT, place, 1, &in, 1, MPI_INT, place, 1, between,
		    MPI_STATUS_IGNORE);
		MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, again, &requests[0]);
		MPI_Isend(&out, 1, MPI_INT, (place + 1) % others, 2, again, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		count(2, 4);
	}
	MPI_Barrier(between);
	MPI_Intercomm_merge(between, rank % 2, &merged);
	MPI_Comm_rank(merged, &place);
	MPI_Sendrecv(&out, 1, MPI_INT, (place + 1) % size, 3, &in, 1, MPI_INT,
	    (place + size - 1) % size, 3, merged, MPI_STATUS_IGNORE);
	count(1, 4);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&again);
	MPI_Comm_free(&between);
}

/* By the calls that only members make, and by those with a neighbourhood. */
static void make_groups(void)
{
	MPI_Comm group_comm, ring;
	MPI_Group world, first;
	int ranks[2] = {0, 1}, from[1] = {previous}, to[1] = {next}, in = -1, out = rank;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, ranks, &first);
	if (rank < 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, first, 5, &group_comm);
		MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 4, &in, 1, MPI_INT, 1 - rank, 4,
		    group_comm, MPI_STATUS_IGNORE);
		count(1, 4);
		run_collectives(group_comm);
		MPI_Comm_free(&group_comm);
	}
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to,
	    MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
	MPI_Neighbor_allgather(&out, 1, MPI_INT, &in, 1, MPI_INT, ring);
	MPI_Sendrecv(
	    &out, 1, MPI_INT, next, 4, &in, 1, MPI_INT, previous, 4, ring, MPI_STATUS_IGNORE);
	count(1, 4);
	MPI_Comm_free(&ring);
	MPI_Group_free(&first);
	MPI_Group_free(&world);
}

static void make_communicators(void)
{
	MPI_Comm half, twin, line, row, later;
	MPI_Request request;
	int sizes[1] = {size}, periods[1] = {1}, remain[1] = {1}, place, members;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	MPI_Comm_set_name(twin, "twin");
	exchange_blocking(twin);
	MPI_Comm_idup(twin, &later, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	exchange_probed(later);
	MPI_Comm_free(&later);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	run_collectives(half);
	/* A message within each half, where there are two. */
	MPI_Comm_rank(half, &place);
	MPI_Comm_size(half, &members);
	if (place == 0 && members > 1) {
		MPI_Send(&place, 1, MPI_INT, members - 1, 8, half);
		count(1, 4);
	} else if (place == members - 1 && members > 1) {
		MPI_Recv(&place, 1, MPI_INT, 0, 8, half, MPI_STATUS_IGNORE);
	}
	MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &line);
	MPI_Cart_sub(line, remain, &row);
	run_collectives(row);
	MPI_Comm_free(&row);
	MPI_Comm_free(&line);
	exchange_between(half);
	MPI_Comm_free(&half);
	MPI_Comm_free(&twin);
	make_groups();
	run_collectives(MPI_COMM_SELF);
}

static void work_in_threads(void)
{
	double sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for
		for (int i = 0; i < 1000; i++)
			sum += i;
#pragma omp critical(total)
		sum += 1;
	}
	if (sum < 1)
		abort();
}

static void exchange_by_threads(void)
{
#pragma omp parallel num_threads(2)
	{
		int tag = 20 + omp_get_thread_num(), in, out = tag;
		MPI_Request requests[2];
		for (int i = 0; i < 50; i++) {
			MPI_Irecv(&in, 1, MPI_INT, previous, tag, MPI_COMM_WORLD, &requests[0]);
			MPI_Isend(&out, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &requests[1]);
			MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
			MPI_Sendrecv(&out, 1, MPI_INT, next, 10 + tag, &in, 1, MPI_INT, previous,
			    10 + tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		count(100, 4);
	}
}

/* Rank 0's messages are late by about 50 ms: each time by as much as it prints, in four or more by
 * most of it. */
static void send_late(void)
{
	double times[2]; /* when rank 0 sent, and when rank 1 was ready */
	int enough = 0;
	char data = 0;

	/* A busy machine may let the receiver in late, too. */
	for (int i = 0; enough < 4 && i < 200; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0) {
			pause_for(50);
			times[0] = now();
			MPI_Send(&data, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
			count(1, 1);
		} else if (rank == 1) {
			times[1] = now();
			MPI_Recv(&data, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		MPI_Bcast(&times[0], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		MPI_Bcast(&times[1], 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
		enough += times[0] - times[1] > 25;
		if (rank == 0)
			printf("late %f\n", times[0] - times[1]);
	}
}

static void exchange_for_long(void)
{
	double start = now(), time = 0, in;

	while (time < 2000) {
		MPI_Sendrecv(&time, 1, MPI_DOUBLE, next, 1, &in, 1, MPI_DOUBLE, previous, 1,
		    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		count(1, 8);
		MPI_Barrier(MPI_COMM_WORLD);
		pause_for(2);
		time = now() - start;
		MPI_Bcast(&time, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	}
}

/* By how much thread 1 of rank 1 worked longer than thread 0, and how much later the rank came to
 * MPI's barrier. */
static void work_unequally(void)
{
	for (int round = 0; round < 4; round++) {
		double work[2], others[2], here, there;
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(static, 1)
			for (int i = 0; i < 2; i++) {
				double start = ran();
				work_for(rank == 1 && i == 1 ? 120 : 20);
				work[i] = ran() - start;
			}
		}
		here = there = now();
		MPI_Barrier(MPI_COMM_WORLD);
		memcpy(others, work, sizeof(others));
		MPI_Bcast(others, 2, MPI_DOUBLE, 1, MPI_COMM_WORLD);
		MPI_Bcast(&there, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
		if (rank == 0)
			printf("unequal %f barrier %f\n", others[1] - others[0], there - here);
	}
}

/*
 * The ranks log unlike much between messages, the first one most: where their logs may have only so
 * many bytes, they stop at different times. Messages of one double are sent before they are asked
 * for; the first one is received last.
 */
static void log_unequally(void)
{
	double value = 0;

	if (rank + 1 < size) {
		MPI_Send(&value, 1, MPI_DOUBLE, next, 99, MPI_COMM_WORLD);
		count(1, sizeof(value));
	}
	for (int i = 0; i < 600; i++) {
#pragma omp parallel num_threads(1)
		for (int k = 0; k < (rank == 0 ? 40 : 1); k++) {
#pragma omp critical
			value += 1;
		}
		if (rank + 1 < size) {
			MPI_Send(&value, 1, MPI_DOUBLE, next, i % 3, MPI_COMM_WORLD);
			count(1, sizeof(value));
		}
		if (rank > 0)
			MPI_Recv(&value, 1, MPI_DOUBLE, previous, i % 3, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
		if (i % 100 == 99)
			MPI_Barrier(MPI_COMM_WORLD);
	}
	if (rank > 0)
		MPI_Recv(&value, 1, MPI_DOUBLE, previous, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "calls";
	int threads = strcmp(mode, "threads") == 0, provided;
	long long mine[2], all[2];

	if (strcmp(mode, "unequal") != 0)
		work_in_threads(); /* before MPI_Init, too */
	MPI_Init_thread(
	    &argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	next = (rank + 1) % size;
	previous = (rank + size - 1) % size;
	if (threads) {
		exchange_by_threads();
	} else if (strcmp(mode, "late") == 0) {
		send_late();
	} else if (strcmp(mode, "long") == 0) {
		exchange_for_long();
	} else if (strcmp(mode, "stopped") == 0) {
		log_unequally();
	} else if (strcmp(mode, "unequal") == 0) {
		work_unequally();
	} else {
		exchange_blocking(MPI_COMM_WORLD);
		exchange_probed(MPI_COMM_WORLD);
		exchange_many(MPI_COMM_WORLD);
		exchange_persistent(MPI_COMM_WORLD);
		exchange_newly(MPI_COMM_WORLD);
		make_communicators();
		run_collectives(MPI_COMM_WORLD);
		work_in_threads();
	}
	mine[0] = sent;
	mine[1] = bytes;
	MPI_Reduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("sent %lld messages %lld bytes\n", all[0], all[1]);
		fflush(stdout);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(mode, "killed") == 0 && rank == 1)
		raise(SIGKILL);
	if (strcmp(mode, "abort") == 0 && rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	MPI_Finalize();
	return 0;
}
