/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the ranks' sets in the tree of shared/rank-tree.h, and sends the common part back to all
 * ranks.
 */
#include "set-tree.h"

#include "shared/rank-tree.h"

#include <stdlib.h>

static void *pack(void *own, size_t *bytes)
{
	return convert_set_pack(own, true, bytes);
}

static void merge(void *own, void *packed, size_t bytes)
{
	struct convert_set *set = own, other;

	if (packed == NULL) {
		set->failed = true;
		return;
	}
	if (convert_set_unpack(&other, packed, bytes))
		convert_set_merge(set, &other, NULL);
	else
		set->failed = true;
	free(packed);
	convert_set_free(&other);
}

void convert_set_gather(const struct pomp_ranks *ranks, struct convert_set *set)
{
	static const struct pomp_rank_gathering sets = {pack, merge};

	pomp_ranks_gather(ranks, &sets, set);
}

void convert_set_share(
    const struct pomp_ranks *ranks, const struct convert_set *set, struct convert_set *common)
{
	size_t bytes = 0;
	void *packed = ranks->rank == 0 ? convert_set_pack(set, false, &bytes) : NULL;
	uint64_t length = packed != NULL ? bytes : 0;

	convert_set_init(common);
	if (ranks->broadcast(ranks, &length, sizeof(length), 0) != 0 || length == 0) {
		common->failed = true;
		free(packed);
		return;
	}
	if (packed == NULL)
		packed = malloc(length);
	/*
	 * All ranks must take part, even a rank without memory for it, because the others would
	 * wait.
	 */
	if (packed == NULL || ranks->broadcast(ranks, packed, length, 0) != 0 ||
	    !convert_set_unpack(common, packed, length))
		common->failed = true;
	free(packed);
}
