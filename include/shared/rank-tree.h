/* SPDX-License-Identifier: BSD-3-Clause */
/* How what each rank has becomes one thing at rank 0: profiles, and the definitions of an archive.
 */
#ifndef SHARED_RANK_TREE_H
#define SHARED_RANK_TREE_H

#include "ranks.h"

/* What is gathered; `own` is the rank's. */
struct pomp_rank_gathering {
	/* The rank's own as bytes (heap) to be sent; NULL where that cannot be done. */
	void *(*pack)(void *own, size_t *bytes);
	/*
	 * Makes another rank's bytes a part of the rank's own. They are the callee's from here on
	 * (heap); NULL: they were not sent, did not arrive or found no room.
	 */
	void (*merge)(void *own, void *packed, size_t bytes);
};

/*
 * All ranks call this. In round n, of two ranks that are 2^n apart the lower one takes in what the
 * higher one has: after log2 of the ranks rounds, rank 0 has all, merged in the order of the ranks.
 * No rank holds more than its own and that of one other.
 */
void pomp_ranks_gather(
    const struct pomp_ranks *ranks, const struct pomp_rank_gathering *gathering, void *own);

#endif
