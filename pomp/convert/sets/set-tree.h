/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks' sets of definitions, made one. All ranks call these. */
#ifndef SET_TREE_H
#define SET_TREE_H

#include "set.h"
#include "shared/ranks.h"

/* Rank 0's set becomes that of all, after log2 of the ranks rounds; the ranks stand in their order.
 */
void convert_set_gather(const struct pomp_ranks *ranks, struct convert_set *set);

/* `common` becomes what rank 0's set has, but for what is of single ranks. */
void convert_set_share(
    const struct pomp_ranks *ranks, const struct convert_set *set, struct convert_set *common);

#endif
