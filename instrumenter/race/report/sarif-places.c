/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the lines of a result, each once, and writes them by common/sarif-writer.h. */
#include "sarif-places.h"

#include "explanation.h"

#include <string.h>

void sarif_places_add(
    struct sarif_places *places, const struct race_line *line, const char *message)
{
	if (line->file == NULL)
		return;
	const struct sarif_place place = {.file = race_short_path(line->file),
	    .line = (uint64_t)line->line,
	    .column = (uint64_t)line->column,
	    .message = message};

	for (size_t i = 0; i < places->count; i++)
		if (places->items[i].line == place.line &&
		    strcmp(places->items[i].file, place.file) == 0)
			return;
	*ARENA_ADD(places->arena, places->items, places->count, places->room) = place;
}

void sarif_places_put(struct sarif_writer *sarif, struct sarif_places *places)
{
	if (places->count == 0)
		return;
	places->items[0].message = NULL;
	sarif_put_place(sarif, &places->items[0]);
	if (places->count > 1)
		sarif_put_related(sarif, places->items + 1, places->count - 1);
}
