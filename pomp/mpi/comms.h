/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators that this rank is a member of, by handle. */
#ifndef COMMS_H
#define COMMS_H

#include "call.h"

struct mpi_comm {
	uint64_t handle;
	uint32_t number;   /* this rank's, dense from 0 */
	uint64_t identity; /* the same at all members */
	bool between;      /* two groups: an intercommunicator */
	uint32_t peers;    /* where the peers' group begins in the list of members; one group: 0 */
	uint64_t children; /* how many communicators were made of it; under the table's lock */
	struct mpi_comm *next;
};

/* Handles are pointers in one MPI and numbers in another. */
#define mpi_handle(handle) ((uint64_t)(handle))

/*
 * After MPI_Init: defines MPI_COMM_WORLD and MPI_COMM_SELF. Where only some ranks log what calls
 * mean, each says of its communicators what otherwise the first member says for all. Ranks that are
 * separate do not communicate: communicators whose identity needs that stay unknown.
 */
HIDDEN void mpi_comms_start(bool some_note, bool separate);

/* Whether this rank, which is that one of a communicator, says what all its members know of it. */
HIDDEN bool mpi_comm_is_listed_by(int rank);

/*
 * The communicator, or NULL for one whose members cannot be known: those that reach processes of
 * another MPI_COMM_WORLD. Valid while the program may use the handle.
 */
HIDDEN const struct mpi_comm *mpi_comm_find(MPI_Comm handle);

/*
 * A call that all members of `parent` make made `child`, or MPI_COMM_NULL at those that are not in
 * it.
 */
HIDDEN void mpi_comm_made(MPI_Comm parent, MPI_Comm child);

/* The same for calls that only the new members make, or whose parent is another. */
HIDDEN void mpi_comm_appeared(MPI_Comm child);

/* For MPI_Comm_idup: the identity that the child is going to have, and then the child itself. */
HIDDEN uint64_t mpi_comm_promise(MPI_Comm parent);
HIDDEN void mpi_comm_kept(uint64_t identity, MPI_Comm child);

/* Before the handle is freed: another communicator may soon have it. */
HIDDEN void mpi_comm_forget(MPI_Comm handle);

HIDDEN int mpi_world_rank(void);

#endif
