/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the ranks' sets of definitions. All ranks call these functions. */
#ifndef SET_TREE_H
#define SET_TREE_H

#include "set.h"
#include "shared/ranks.h"

/* After log2(ranks) rounds, rank 0's set contains those of all ranks, in the order of the ranks. */
void convert_set_gather(const struct pomp_ranks *ranks, struct convert_set *set);

/* `common` gets a copy of rank 0's set, without what belongs to single ranks. */
void convert_set_share(
    const struct pomp_ranks *ranks, const struct convert_set *set, struct convert_set *common);

#endif
