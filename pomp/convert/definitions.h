/* SPDX-License-Identifier: BSD-3-Clause */
/* The global definitions while they are written. */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "rank.h"

struct convert_writing {
	OTF2_GlobalDefWriter *writer;
	struct convert_set *set; /* its strings become more */
	uint32_t written;        /* of them */
	size_t locations;
	OTF2_ErrorCode error; /* the first */
};

void convert_writing_check(struct convert_writing *writing, OTF2_ErrorCode code);

/* The reference of a text; written when it is new. */
OTF2_StringRef convert_writing_string(struct convert_writing *writing, const char *text);

/* The words of a process, enum set_rank. */
static inline const uint64_t *convert_writing_rank(
    const struct convert_writing *writing, size_t place)
{
	size_t count;

	return convert_pool_at(&writing->set->ranks, place, &count);
}

/* Whether the processes are ranks of MPI. */
static inline bool convert_writing_has_ranks(const struct convert_writing *writing)
{
	return writing->set->ranks.count > 0 &&
	       convert_writing_rank(writing, 0)[SET_RANK_NUMBER] != SET_NO_RANK;
}

/* Groups and communicators: of MPI, as the set has them, then of the teams, process by process. */
void convert_write_comms(struct convert_writing *writing);

#endif
