/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements spill.h without files, which the engine does not have: all pieces stay in memory. */
#include "spill.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct spill {
	unsigned char **pieces;
	size_t count, room;
};

struct spill *spill_new(size_t memory_max)
{
	(void)memory_max;
	return memory_new(1, sizeof(struct spill));
}

void spill_free(struct spill *spill)
{
	if (!spill)
		return;
	for (size_t i = 0; i < spill->count; i++)
		free(spill->pieces[i]);
	free(spill->pieces);
	free(spill);
}

struct spill_piece spill_put(struct spill *spill, const void *bytes, size_t size)
{
	struct spill_piece piece = {.at = spill->count, .size = (uint32_t)size};

	MEMORY_GROW(spill->pieces, spill->room, spill->count + 1);
	spill->pieces[spill->count] = memory_new(size, 1);
	memcpy(spill->pieces[spill->count++], bytes, size);
	return piece;
}

void spill_get(struct spill *spill, struct spill_piece piece, size_t from, void *bytes, size_t size)
{
	memcpy(bytes, spill->pieces[piece.at] + from, size);
}
