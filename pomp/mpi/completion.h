/* SPDX-License-Identifier: BSD-3-Clause */
/* The two halves of every call that completes requests. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "requests.h"

/*
 * The state from before the call: the requests of the handles, and statuses if the program wants
 * none.
 */
struct mpi_completion {
	int count;
	struct mpi_request **requests, *few_requests[32];
	MPI_Status *statuses, few_statuses[32];
	bool owns_statuses; /* *statuses was allocated for us */
};

/*
 * Takes the requests of the handles out of the table. Returns false when there is nothing to note;
 * changes *statuses only if it is `ignored`.
 */
HIDDEN bool mpi_completion_begin(struct mpi_completion *completion, int count,
    const MPI_Request *handles, MPI_Status **statuses, MPI_Status *ignored);

/* Notes that the request at `index` is complete, according to the status at `place`. */
HIDDEN void mpi_completion_done(struct mpi_completion *completion, int index, int place);

/* Puts back requests that are not complete; `tested`: the program tested them and learnt that. */
HIDDEN void mpi_completion_end(struct mpi_completion *completion, bool tested);

#endif
