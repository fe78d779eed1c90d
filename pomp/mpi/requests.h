/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program's requests stand for, by handle. A request is taken out of the table before a
 * call that may complete it, and put back if it did not complete. The MPI library may reuse a
 * handle as soon as its request is complete, even in another thread, and some libraries give the
 * same handle to all requests that are complete at once. Of several requests with the same handle,
 * the latest is found.
 */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "call.h"
#include "shared/trace-log.h"

enum mpi_request_kind {
	REQUEST_SEND,
	REQUEST_RECEIVE,
	REQUEST_COLLECTIVE,
	REQUEST_COMM,     /* MPI_Comm_idup */
	REQUEST_EXCHANGE, /* MPI_Isendrecv: a send and a receive; either may be with MPI_PROC_NULL
			   */
	REQUEST_MESSAGE,  /* a message that MPI_Mprobe found: not a request, but its handle is kept
			     like one */
};

struct mpi_request {
	uint64_t handle;
	struct mpi_request *next;
	enum mpi_request_kind kind;
	bool persistent, active, cancelled;
	uint32_t comm, peers; /* see struct mpi_comm */
	uint64_t number;   /* in the log; COMM: the promised identity; EXCHANGE: the send's, or 0 */
	uint64_t received; /* EXCHANGE: the receive's number, or 0 */
	/*
	 * SEND: message and bytes; COLLECTIVE: as in COLLECTIVE_END; EXCHANGE and partitioned
	 * RECEIVE: the message that was asked for, and its bytes, 0: any
	 */
	uint64_t words[3];
	MPI_Comm *made; /* COMM */
};

/* Returns a number for the log that no other request of this rank has. */
HIDDEN uint64_t mpi_request_number(void);

HIDDEN void mpi_request_add(uint64_t handle, const struct mpi_request *request);

/*
 * Returns NULL for an unknown handle. Otherwise the caller owns the request, and no other thread.
 */
HIDDEN struct mpi_request *mpi_request_take(uint64_t handle);
HIDDEN void mpi_request_put_back(struct mpi_request *request);
HIDDEN void mpi_request_release(struct mpi_request *request);

/* Numbers and notes a request that begins now. */
HIDDEN void mpi_begin(struct mpi_request *request);

#endif
