/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one process did in MPI, in few bytes, for an account that is made when all processes have
 * been read one by one: mpi_replay() makes the calls of mpi.h that were recorded, of all processes
 * in the order of time, as if the processes had been read together.
 */
#ifndef MPI_RECORD_H
#define MPI_RECORD_H

#include "mpi.h"
#include "numbers.h"
#include "spill.h"

enum { RECORD_PIECE = 8192, RECORD_LONGEST = 16 * NUMBER_BYTES }; /* bytes; of a call */

/*
 * A call is its kind with flags, the step of the order, its location, the step of its time, the
 * visit's number, 0 for none, and what follows in record.c by its kind.
 */
enum call { CALL_ENTER, CALL_EVENT, CALL_LEAVE };

/* Bits of a call's first number, above the call itself. */
enum { CALL_BITS = 3, FLAG_COUNTS = 4, FLAG_IN_TEAM = 8 };

struct mpi_record {
	struct spill *spill;
	struct spill_piece *pieces;
	size_t piece_count, piece_room;
	unsigned char *bytes; /* of the piece at hand; NULL without */
	size_t used;
	uint64_t order, last_order, last_time; /* of the next call, and of the one before */
	uint64_t visits;                       /* recorded so far: the numbers of visits, from 1 */
};

/* The spill keeps what is recorded; it outlives the record, and the replay. */
struct mpi_record *mpi_record_new(struct spill *spill);
void mpi_record_free(struct mpi_record *record);

/*
 * What is recorded from now on happens at this time of the process's events, which never goes back;
 * UINT64_MAX: after all events of all processes.
 */
void mpi_record_at(struct mpi_record *record, uint64_t order);

/* As the functions of mpi.h. The visit is good for these calls alone. */
struct mpi_visit *mpi_record_enter(struct mpi_record *record, const struct mpi_enter *enter);
void mpi_record_event(
    struct mpi_record *record, const struct mpi_visit *visit, const struct archive_event *event);
void mpi_record_leave(struct mpi_record *record, struct mpi_visit *visit, uint64_t time);

/* Nothing is recorded any more. */
void mpi_record_end(struct mpi_record *record);

void mpi_replay(struct mpi *mpi, struct mpi_record *const *records, size_t count);

#endif
