/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the archive of an MPI program with OpenMP that never ran, of up to 16,384 ranks:
 * rank-archive FOLDER RANKS THREADS EVENTS. EVENTS is how many a rank has at least; it has whole
 * steps. One rank after the other is written, so that memory does not grow with the events.
 *
 * A step of a rank is a parallel region, in which thread t works 5 us longer than thread t - 1; a
 * message to a rank above and one from a rank below, at a distance of 1, 2 or 3 in turn; and an
 * MPI_Allreduce or an MPI_Barrier of all ranks. All ranks begin a step at the same time. How long
 * each works follows from its number and the step's, and with it each wait, without knowing what
 * was written of the other ranks. One rank of eight has more work than the others, and in another
 * one the threads differ four times as much. Prints the sums as JSON, all times in nanoseconds:
 *   events          of all ranks
 *   wall_ns         from the first event to the last
 *   late_sender_ns  what ranks wait in MPI_Recv for the message to be sent
 *   collective_ns   what ranks wait in the collectives for the last one
 *   barrier_ns      what threads wait at the end of parallel regions
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi-writer.h"
#include "scenarios.h"

enum {
	KINDS = 16, /* of ranks, by how long they work */
	EVENTS_OF_STEP = 20,
	EVENTS_OF_STEP_BESIDES = 8, /* of the first thread, and of another */
};

static const uint64_t FORK = 2 * US, JOIN = 1 * US, CALL = 1 * US, SHORTEST = 100 * US,
		      KIND_STEP = 10 * US, THREAD_STEP = 5 * US, MORE_WORK = 60 * US;

/* Which of ROLES neighbours is unlike the others. */
enum { ROLES = 8, ROLE_MORE_WORK = 3, ROLE_UNEVEN = 6, UNEVEN_STEPS = 4 };

struct run {
	struct writer *writer;
	int ranks, threads;
	uint64_t events, late_sender, collective, barrier;
};

/* What the first thread of a rank works in a step; the other ranks know it, too. */
static uint64_t work_of(int rank, uint64_t step)
{
	return SHORTEST + ((uint64_t)rank * 7 + step * 3) % KINDS * KIND_STEP +
	       (rank % ROLES == ROLE_MORE_WORK ? MORE_WORK : 0);
}

/* How much longer a thread of the rank works than the thread before it. */
static uint64_t thread_step_of(int rank)
{
	return rank % ROLES == ROLE_UNEVEN ? UNEVEN_STEPS * THREAD_STEP : THREAD_STEP;
}

/* When a rank that begins at `begin` has left its parallel region and sends its message. */
static uint64_t send_time(const struct run *run, int rank, uint64_t step, uint64_t begin)
{
	return begin + FORK + work_of(rank, step) +
	       (uint64_t)(run->threads - 1) * thread_step_of(rank) + JOIN;
}

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* When the last rank comes to the collective: who works longest also waits for no message. */
static uint64_t last_arrival(const struct run *run, uint64_t step, uint64_t begin)
{
	uint64_t last = 0;

	for (int rank = 0; rank < run->ranks && rank < KINDS; rank++)
		last = later(last, send_time(run, rank, step, begin));
	return last + CALL + CALL;
}

static void write_region(struct run *run, int rank, uint64_t step)
{
	struct writer *writer = run->writer;
	int first = rank * run->threads;
	OTF2_CommRef team = writer_team(writer, rank);

	writer_fork(writer, first, run->threads, team, PARALLEL, FORK);
	for (int t = 0; t < run->threads; t++) {
		writer_region(writer, first + t, LOOP_NOWAIT,
		    work_of(rank, step) + (uint64_t)t * thread_step_of(rank));
		run->barrier += (uint64_t)(run->threads - 1 - t) * thread_step_of(rank);
	}
	writer_join(writer, first, run->threads, team, PARALLEL, PARALLEL_BARRIER, JOIN);
}

static void write_messages(struct run *run, int rank, uint64_t step, uint64_t begin)
{
	struct writer *writer = run->writer;
	int thread = rank * run->threads;
	int distance = 1 + (int)(step % 3) % (run->ranks - 1);
	int above = (rank + distance) % run->ranks;
	int below = (rank + run->ranks - distance) % run->ranks;
	uint32_t tag = (uint32_t)(step % 8);
	uint64_t sent = send_time(run, below, step, begin);

	mpi_enter(writer, thread, CALL_SEND);
	mpi_send(writer, thread, COMM_WORLD, (uint32_t)above, tag);
	mpi_leave(writer, thread, CALL_SEND, writer->now[thread] + CALL);
	mpi_enter(writer, thread, CALL_RECV);
	if (sent > writer->now[thread])
		run->late_sender += sent - writer->now[thread];
	writer->now[thread] = later(sent, writer->now[thread]) + CALL;
	mpi_recv(writer, thread, COMM_WORLD, (uint32_t)below, tag);
	mpi_leave(writer, thread, CALL_RECV, 0);
}

static void write_collective(struct run *run, int rank, uint64_t step, uint64_t last)
{
	struct writer *writer = run->writer;
	int thread = rank * run->threads;
	enum mpi_call call = step % 2 ? CALL_BARRIER : CALL_ALLREDUCE;

	run->collective += last - writer->now[thread];
	mpi_enter(writer, thread, call);
	mpi_collective_begin(writer, thread);
	writer->now[thread] = last + CALL;
	mpi_collective(writer, thread, COMM_WORLD,
	    step % 2 ? OTF2_COLLECTIVE_OP_BARRIER : OTF2_COLLECTIVE_OP_ALLREDUCE,
	    OTF2_COLLECTIVE_ROOT_NONE);
	mpi_leave(writer, thread, call, 0);
}

static void write_rank(struct run *run, int rank, uint64_t steps)
{
	struct writer *writer = run->writer;
	int first = rank * run->threads;

	writer_begin_rank(writer, rank);
	OTF2_EvtWriter_ProgramBegin(writer->events[first], NULL, writer->now[first], 0, 0, NULL);
	for (uint64_t step = 0; step < steps; step++) {
		uint64_t begin = writer->now[first];

		write_region(run, rank, step);
		write_messages(run, rank, step, begin);
		write_collective(run, rank, step, last_arrival(run, step, begin));
	}
	OTF2_EvtWriter_ProgramEnd(writer->events[first], NULL, writer->now[first], 0);
	writer_end_rank(writer, rank);
	for (int t = 0; t < run->threads; t++)
		run->events += writer->counts[first + t];
}

/* The number in an argument, from `least` to `most`; ends the program where it is none. */
static uint64_t number(const char *text, const char *what, uint64_t least, uint64_t most)
{
	char *end;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && value >= least && value <= most)
		return value;
	fprintf(stderr,
	    "rank-archive: %s '%s': expected a number from %" PRIu64 " to %" PRIu64
	    "; nothing is written\n",
	    what, text, least, most);
	exit(2);
}

int main(int argc, char **argv)
{
	static struct writer writer;
	struct run run = {.writer = &writer};

	if (argc != 5) {
		fputs("usage: rank-archive FOLDER RANKS THREADS EVENTS\n", stderr);
		return 2;
	}
	run.ranks = (int)number(argv[2], "RANKS", 2, WRITER_RANKS);
	run.threads = (int)number(argv[3], "THREADS", 1, WRITER_THREADS / (unsigned)run.ranks);
	uint64_t events = number(argv[4], "EVENTS", 1, UINT64_C(1) << 40);
	uint64_t of_step = EVENTS_OF_STEP + (uint64_t)(run.threads - 1) * EVENTS_OF_STEP_BESIDES;

	writer_open_ranks(&writer, argv[1], run.ranks, run.threads);
	mpi_open(&writer, run.ranks, false);
	for (int rank = 0; rank < run.ranks; rank++)
		write_rank(&run, rank, (events + of_step - 1) / of_step);
	uint64_t wall = writer.now[0] - CLOCK_START;
	writer_close(&writer);
	printf("{\"events\": %" PRIu64 ", \"wall_ns\": %" PRIu64 ", \"late_sender_ns\": %" PRIu64
	       ", \"collective_ns\": %" PRIu64 ", \"barrier_ns\": %" PRIu64 "}\n",
	    run.events, wall, run.late_sender, run.collective, run.barrier);
	return 0;
}
