/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one process did in MPI, in few bytes, for an account that is made after all processes have
 * been read one by one. mpi_replay() repeats the recorded calls of mpi.h, of all processes in the
 * order of time, as if the processes had been read together.
 */
#ifndef MPI_RECORD_H
#define MPI_RECORD_H

#include "mpi.h"
#include "numbers.h"
#include "spill.h"

enum { RECORD_PIECE = 8192, RECORD_LONGEST = 16 * NUMBER_BYTES }; /* bytes; of one call */

/*
 * A recorded call consists of its kind with flags, the step of the order, its location, the step of
 * its time, the visit's number (0 for none), and further numbers that depend on the kind
 * (record.c).
 */
enum call { CALL_ENTER, CALL_EVENT, CALL_LEAVE };

/* Bits of a call's first number, above the kind. */
enum { CALL_BITS = 3, FLAG_COUNTS = 4, FLAG_IN_TEAM = 8, FLAG_ENDED = 16 };

struct mpi_record {
	struct spill *spill;
	struct spill_piece *pieces;
	size_t piece_count, piece_room;
	unsigned char *bytes; /* of the current piece, or NULL */
	size_t used;
	/* order: of the next call; last_order, last_time: of the previous one */
	uint64_t order, last_order, last_time;
	uint64_t visits; /* number of visits so far; visits are numbered from 1 */
};

/* The spill stores the record; it must outlive the record and the replay. */
struct mpi_record *mpi_record_new(struct spill *spill);
void mpi_record_free(struct mpi_record *record);

/*
 * From now on, recorded calls happen at this time in the process's order, which never goes back.
 * UINT64_MAX: after all events of all processes.
 */
void mpi_record_at(struct mpi_record *record, uint64_t order);

/* Like the functions of mpi.h. The visit can only be passed to these functions. */
struct mpi_visit *mpi_record_enter(struct mpi_record *record, const struct mpi_enter *enter);
void mpi_record_event(
    struct mpi_record *record, const struct mpi_visit *visit, const struct archive_event *event);
void mpi_record_leave(
    struct mpi_record *record, struct mpi_visit *visit, uint64_t time, uint64_t ended);

/* Call when nothing more will be recorded. */
void mpi_record_end(struct mpi_record *record);

void mpi_replay(struct mpi *mpi, struct mpi_record *const *records, size_t count);

#endif
