/* SPDX-License-Identifier: BSD-3-Clause */
/* The two halves of every call that completes requests. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "requests.h"

/* Before it: what the handles stand for, and statuses where the program wants none. */
struct mpi_completion {
	int count;
	struct mpi_request **requests, *few_requests[32];
	MPI_Status *statuses, few_statuses[32];
	bool owns_statuses; /* *statuses were made for us */
};

/*
 * Takes the requests of the handles out of the table. False when there is nothing to note;
 * *statuses is changed only where it is `ignored`.
 */
HIDDEN bool mpi_completion_begin(struct mpi_completion *completion, int count,
    const MPI_Request *handles, MPI_Status **statuses, MPI_Status *ignored);

/* Notes that the request at `index` is done, as the status at `place` says. */
HIDDEN void mpi_completion_done(struct mpi_completion *completion, int index, int place);

/* Puts back what is not done; `tested`: the program tested and got the answer that it is not. */
HIDDEN void mpi_completion_end(struct mpi_completion *completion, bool tested);

#endif
