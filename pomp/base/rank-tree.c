/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The binary tree in which ranks gather data. The sender sends the length; the receiver answers
 * whether it has memory for that many bytes; only then the bytes follow. Without the answer the
 * sender would wait for a receiver that has no memory.
 */
#include "shared/rank-tree.h"

#include <stdlib.h>

static void give(const struct pomp_ranks *ranks, const struct pomp_rank_gathering *gathering,
    void *own, uint32_t to)
{
	size_t bytes = 0;
	void *packed = gathering->pack(own, &bytes);
	uint64_t length = packed != NULL ? bytes : 0, has_room = 0;

	if (ranks->send(ranks, &length, sizeof(length), to) == 0 && length > 0 &&
	    ranks->receive(ranks, &has_room, sizeof(has_room), to) == 0 && has_room)
		ranks->send(ranks, packed, bytes, to);
	free(packed);
}

static void take(const struct pomp_ranks *ranks, const struct pomp_rank_gathering *gathering,
    void *own, uint32_t from)
{
	uint64_t length = 0;
	void *packed = NULL;

	if (ranks->receive(ranks, &length, sizeof(length), from) == 0 && length > 0) {
		packed = malloc(length);
		uint64_t has_room = packed != NULL;
		ranks->send(ranks, &has_room, sizeof(has_room), from);
	}
	if (packed != NULL && ranks->receive(ranks, packed, length, from) != 0) {
		free(packed);
		packed = NULL;
	}
	gathering->merge(own, packed, packed != NULL ? length : 0);
}

void pomp_ranks_gather(
    const struct pomp_ranks *ranks, const struct pomp_rank_gathering *gathering, void *own)
{
	for (uint32_t step = 1; step < ranks->size; step *= 2) {
		if (ranks->rank & step) {
			give(ranks, gathering, own, ranks->rank - step);
			return;
		}
		if (ranks->size - ranks->rank > step)
			take(ranks, gathering, own, ranks->rank + step);
	}
}
