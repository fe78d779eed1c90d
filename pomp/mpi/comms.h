/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators that this rank is a member of, by handle. */
#ifndef COMMS_H
#define COMMS_H

#include "call.h"

struct mpi_comm {
	uint64_t handle;
	uint32_t number;   /* of this rank, dense from 0 */
	uint64_t identity; /* the same at all members */
	bool between;      /* two groups: an intercommunicator */
	uint32_t peers; /* the offset of the peers' group in the list of members; 0 if there is one
			   group */
	uint64_t children; /* how many communicators were made from it; under the table's lock */
	struct mpi_comm *next;
};

/* Handles are pointers in one MPI implementation and numbers in another. */
#define mpi_handle(handle) ((uint64_t)(handle))

/*
 * Called after MPI_Init: defines MPI_COMM_WORLD and MPI_COMM_SELF. If only some ranks log what
 * calls mean, each describes its own communicators, which otherwise the first member describes for
 * all. Separate ranks do not communicate: communicators whose identity needs communication stay
 * unknown.
 */
HIDDEN void mpi_comms_start(bool some_note, bool separate);

/*
 * Returns whether this rank, which has this number in a communicator, writes what all members know
 * about it.
 */
HIDDEN bool mpi_comm_is_listed_by(int rank);

/*
 * Returns the communicator, or NULL if its members cannot be known because it reaches processes of
 * another MPI_COMM_WORLD. Valid while the program may use the handle.
 */
HIDDEN const struct mpi_comm *mpi_comm_find(MPI_Comm handle);

/*
 * All members of `parent` called a function that made `child`, or MPI_COMM_NULL at ranks outside of
 * it.
 */
HIDDEN void mpi_comm_made(MPI_Comm parent, MPI_Comm child);

/*
 * The same for functions that only the new members call, or whose parent is another communicator.
 */
HIDDEN void mpi_comm_appeared(MPI_Comm child);

/*
 * For MPI_Comm_idup: returns the identity that the child is going to have; later takes the child.
 */
HIDDEN uint64_t mpi_comm_promise(MPI_Comm parent);
HIDDEN void mpi_comm_kept(uint64_t identity, MPI_Comm child);

/* Called before the handle is freed: another communicator may soon have it. */
HIDDEN void mpi_comm_forget(MPI_Comm handle);

#endif
