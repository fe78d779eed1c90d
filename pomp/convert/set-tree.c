/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets meet in a tree: in round n, ranks 2^n apart merge theirs, the higher one's into the lower's. */
#include "set-tree.h"

#include <stdlib.h>

static void send_set(const struct pomp_ranks *ranks, const struct convert_set *set, uint32_t to)
{
	size_t bytes = 0;
	void *packed = convert_set_pack(set, true, &bytes);
	uint64_t length = packed != NULL ? bytes : 0;

	if (ranks->send(&length, sizeof(length), to) == 0 && length > 0)
		ranks->send(packed, bytes, to);
	free(packed);
}

static void receive_set(const struct pomp_ranks *ranks, struct convert_set *set, uint32_t from)
{
	struct convert_set other;
	uint64_t length = 0;
	void *packed = NULL;

	convert_set_init(&other);
	if (ranks->receive(&length, sizeof(length), from) == 0 && length > 0)
		packed = malloc(length);
	if (packed != NULL && ranks->receive(packed, length, from) == 0 &&
	    convert_set_unpack(&other, packed, length))
		convert_set_merge(set, &other, NULL);
	else
		set->failed = true;
	free(packed);
	convert_set_free(&other);
}

void convert_set_gather(const struct pomp_ranks *ranks, struct convert_set *set)
{
	for (uint32_t step = 1; step < ranks->size; step *= 2) {
		if (ranks->rank & step) {
			send_set(ranks, set, ranks->rank - step);
			return;
		}
		if (ranks->size - ranks->rank > step)
			receive_set(ranks, set, ranks->rank + step);
	}
}

void convert_set_share(
    const struct pomp_ranks *ranks, const struct convert_set *set, struct convert_set *common)
{
	size_t bytes = 0;
	void *packed = ranks->rank == 0 ? convert_set_pack(set, false, &bytes) : NULL;
	uint64_t length = packed != NULL ? bytes : 0;

	convert_set_init(common);
	if (ranks->broadcast(&length, sizeof(length), 0) != 0 || length == 0) {
		common->failed = true;
		free(packed);
		return;
	}
	if (packed == NULL)
		packed = malloc(length);
	/* All have to take part, and who has no room then has no rank either: there is no way out. */
	if (packed == NULL || ranks->broadcast(packed, length, 0) != 0 ||
	    !convert_set_unpack(common, packed, length))
		common->failed = true;
	free(packed);
}
