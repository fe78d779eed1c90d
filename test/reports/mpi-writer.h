/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of MPI in archives of archive-writer.h: ranks are the writer's processes, a rank's
 * thread t is the writer's thread rank * threads + t. A call is entered, says what it does and is
 * left; how long it takes is the caller's business.
 */
#ifndef MPI_WRITER_H
#define MPI_WRITER_H

#include "archive-writer.h"

/* In the order of their definition, after the writer's own regions. */
enum mpi_call {
	CALL_SEND,
	CALL_RECV,
	CALL_ISEND,
	CALL_IRECV,
	CALL_WAITALL,
	CALL_BARRIER,
	CALL_ALLREDUCE,
	CALL_BCAST,
	CALL_REDUCE,
	CALL_SCAN,
	CALL_IALLREDUCE,
	CALL_CANCEL,
	MPI_CALLS
};

enum mpi_comm {
	COMM_WORLD,
	COMM_SELF,
	COMM_SOME,  /* all ranks but 1, backwards: its rank 0 is the last of the world */
	COMM_INTER, /* between two groups */
	MPI_COMMS,
	COMM_UNDEFINED /* events name it, no definition does */
};

/* After writer_open(). Definitions come by themselves, COMM_INTER's where there is to be one. */
void mpi_open(struct writer *writer, int ranks, bool inter);

void mpi_enter(struct writer *writer, int thread, enum mpi_call call);
/* `at` may be past: then it is left now. */
void mpi_leave(struct writer *writer, int thread, enum mpi_call call, uint64_t at);

/* Their peers are ranks in the communicator, their bytes 8 times the tag and one. */
void mpi_send(struct writer *writer, int thread, enum mpi_comm comm, uint32_t to, uint32_t tag);
void mpi_recv(struct writer *writer, int thread, enum mpi_comm comm, uint32_t from, uint32_t tag);
void mpi_isend(struct writer *writer, int thread, enum mpi_comm comm, uint32_t to, uint32_t tag,
    uint64_t request);
void mpi_irecv(struct writer *writer, int thread, enum mpi_comm comm, uint32_t from, uint32_t tag,
    uint64_t request);
void mpi_isend_complete(struct writer *writer, int thread, uint64_t request);
void mpi_irecv_request(struct writer *writer, int thread, uint64_t request);
void mpi_cancelled(struct writer *writer, int thread, uint64_t request);
void mpi_collective_begin(struct writer *writer, int thread);
void mpi_collective(struct writer *writer, int thread, enum mpi_comm comm,
    OTF2_CollectiveOp operation, uint32_t root);
void mpi_collective_request(struct writer *writer, int thread, uint64_t request);
void mpi_collective_done(struct writer *writer, int thread, enum mpi_comm comm,
    OTF2_CollectiveOp operation, uint64_t request);

/* The ranks' members of a communicator; how many. */
int mpi_members(const struct writer *writer, enum mpi_comm comm, int *members);

#endif
