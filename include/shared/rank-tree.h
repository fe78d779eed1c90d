/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines what all ranks have at rank 0: profiles, and the definitions of an archive. */
#ifndef SHARED_RANK_TREE_H
#define SHARED_RANK_TREE_H

#include "ranks.h"

/* What is gathered; `own` is the calling rank's part. */
struct pomp_rank_gathering {
	/* Returns the rank's part as bytes to send (heap); NULL if that is impossible. */
	void *(*pack)(void *own, size_t *bytes);
	/*
	 * Merges another rank's bytes into the rank's own part. The callee owns the bytes (heap);
	 * NULL: they were not sent, did not arrive, or there was no memory.
	 */
	void (*merge)(void *own, void *packed, size_t bytes);
};

/*
 * All ranks call this. In round n, of two ranks that are 2^n apart the lower one merges what the
 * higher one has. After log2(ranks) rounds rank 0 has everything, merged in the order of the ranks.
 * No rank holds more than its own part and that of one other rank.
 */
void pomp_ranks_gather(
    const struct pomp_ranks *ranks, const struct pomp_rank_gathering *gathering, void *own);

#endif
