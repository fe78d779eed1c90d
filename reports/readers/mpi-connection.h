/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ompreport wants of an MPI. Each MPI has a library of its own with these functions, because
 * their types differ; ompreport itself needs none. The functions are called by one thread.
 */
#ifndef MPI_CONNECTION_H
#define MPI_CONNECTION_H

#include <stddef.h>

struct mpi_connection {
	/* Begins MPI; sets the process's number, from 0, and how many there are. 0, or -1. */
	int (*begin)(int *index, int *count);
	void (*end)(void);
	/* Ends all processes of the job, with that exit status. */
	void (*abort)(int status);
	/* Return when the bytes are sent, or received. While they wait they mostly sleep. */
	void (*send)(int to, const void *bytes, size_t size);
	/* The size of the next message from that process, and its bytes. */
	size_t (*next_size)(int from);
	void (*receive)(int from, void *bytes, size_t size);
};

/* The name under which the library exports a constant of this type. */
#define MPI_CONNECTION "ompreport_mpi_connection"

#endif
