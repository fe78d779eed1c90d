/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of a result: the first one is where it is, the others are related. */
#ifndef RACE_SARIF_PLACES_H
#define RACE_SARIF_PLACES_H

#include "code.h"

#include "common/sarif-writer.h"

struct sarif_places {
	struct inst_arena *arena;
	struct sarif_place *items;
	size_t count, room;
};

/* Adds a place with what happens there, unless its line is there already, or is not known. */
void sarif_places_add(
    struct sarif_places *places, const struct race_line *line, const char *message);

/* Writes them to the open result, of whose place the message says what happens. */
void sarif_places_put(struct sarif_writer *sarif, struct sarif_places *places);

#endif
