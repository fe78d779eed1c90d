/* SPDX-License-Identifier: BSD-3-Clause */
/* One summary for all ranks. */
#ifndef MERGE_SUMMARIES_H
#define MERGE_SUMMARIES_H

#include "common/summary.h"
#include "shared/ranks.h"

#include <stdbool.h>

/* What other ranks sent: it contains the texts and values of the merged summary's rows. */
struct pomp_rank_summaries {
	size_t count; /* at most one for each bit of a rank number */
	struct summary received[32];
	char *bytes[32];
};

/*
 * Called by all ranks: rank 0's summary becomes that of all. Its arrays of rows are heap memory and
 * grow.
 */
void pomp_rank_merge_summaries(
    const struct pomp_ranks *ranks, struct summary *summary, struct pomp_rank_summaries *summaries);

/* Called after the summary was printed and before its rows are freed. */
void pomp_rank_free_summaries(struct pomp_rank_summaries *summaries);

/* Returns a summary as bytes (heap); NULL when memory ran out. */
void *pomp_rank_pack_summary(struct summary *summary, size_t *bytes);

/*
 * Converts such bytes to a summary, whose texts stay in them; false when memory ran out or the
 * bytes are invalid. The rows must be freed in either case.
 */
bool pomp_rank_unpack_summary(struct summary *summary, char *packed, size_t bytes);
void pomp_rank_free_unpacked(struct summary *summary);

#endif
