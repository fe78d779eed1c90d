/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank's part of the archive that all ranks share. */
#ifndef RANK_H
#define RANK_H

#include "convert-archive.h"
#include "rank-clock.h"
#include "set.h"

/* The state while its events are written. */
struct convert_rank {
	uint32_t number; /* in MPI_COMM_WORLD, or SET_NO_RANK */
	struct convert_input input;
	struct convert_teams teams;
	struct convert_clock clock;
	struct convert_archive archive;
};

/* What its local definitions need afterwards. */
struct convert_rank_local {
	uint32_t location_base, location_count;
	uint32_t team_base, team_count; /* communicators of OpenMP */
	struct convert_maps maps;
	uint64_t *region_place; /* by the events' reference: index in the rank's set */
	size_t region_count;
	uint64_t *parameter_place; /* by the rank's own number: the same */
	size_t parameter_count;
	uint32_t *comm_place; /* by the rank's own number: index in its set */
	size_t comm_count;
};

/* The numbers that a rank uses; they follow those of the previous ranks. */
struct convert_counts {
	uint64_t locations, teams, locks;
};

/* Reads the rank's logs; returns 0, or -1 with a message (heap). Close it in both cases. */
int convert_rank_open(struct convert_rank *rank, uint32_t number, const char *folder, char **error);
struct convert_counts convert_rank_counts(const struct convert_rank *rank);
void convert_rank_close(struct convert_rank *rank);

/* Maps its clock to the reference; false when memory ran out. */
bool convert_rank_set_clock(struct convert_rank *rank, const struct convert_reference *reference);

/* Returns when the first of its logs stopped, on that clock; 0: none did. */
uint64_t convert_rank_stopped(const struct convert_rank *rank);

/*
 * Ignores records from that time on, because another rank's logs have stopped: the counts change.
 * False when memory ran out.
 */
bool convert_rank_cut(struct convert_rank *rank, uint64_t time);

/* Writes its events into the archive, with numbers that follow `before`. */
void convert_rank_write(struct convert_rank *rank, OTF2_Archive *archive,
    struct convert_output *output, struct convert_counts before, const void *processors);

/* Returns the number of bytes in its logs. */
uint64_t convert_rank_bytes(const struct convert_rank *rank);

/* Puts its definitions into an empty set, and fills in `local` except for the maps. */
void convert_rank_define(struct convert_rank *rank, struct convert_counts before,
    struct convert_set *set, struct convert_rank_local *local);

/* The same only for its communicators, whose number is in `local`. */
void convert_rank_define_comms(
    const struct convert_input *input, struct convert_set *set, struct convert_rank_local *local);

/*
 * Writes the local definition files, with the mapping tables; mpi_comms: the number at all ranks.
 */
OTF2_ErrorCode convert_rank_write_local(
    OTF2_Archive *archive, const struct convert_rank_local *local, size_t mpi_comms);
void convert_rank_local_free(struct convert_rank_local *local);

#endif
