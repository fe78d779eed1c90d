/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of functions that send and receive in one call, blocking or not; only the last one
 * differs. BUILD(call, send_count, send_type, parameters, arguments) makes the function. COUNT is
 * int, or MPI_Count in the calls whose names end in _c. MPI 4.0, 3.10.
 */
#ifndef EXCHANGES_H
#define EXCHANGES_H

#define EXCHANGE(BUILD, call, COUNT, last_type, last)                                              \
	BUILD(call, send_count, send_type,                                                         \
	    (const void *data, COUNT send_count, MPI_Datatype send_type, int destination,          \
		int send_tag, void *buffer, COUNT count, MPI_Datatype type, int source, int tag,   \
		MPI_Comm comm, last_type last),                                                    \
	    (data, send_count, send_type, destination, send_tag, buffer, count, type, source, tag, \
		comm, last))

#define EXCHANGE_IN_PLACE(BUILD, call, COUNT, last_type, last)                                     \
	BUILD(call, count, type,                                                                   \
	    (void *buffer, COUNT count, MPI_Datatype type, int destination, int send_tag,          \
		int source, int tag, MPI_Comm comm, last_type last),                               \
	    (buffer, count, type, destination, send_tag, source, tag, comm, last))

#endif
