/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that name constructs by their place: FILE:LINE=VALUE, with semicolons between them. */
#ifndef SOURCE_PLACES_H
#define SOURCE_PLACES_H

#include "pomp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One entry, "FILE:LINE=VALUE", in the setting's value. */
struct source_place {
	const char *text;
	size_t length;
	size_t file_length; /* the file's name is the entry's begin */
	int line;
	const char *value; /* up to the entry's end */
};

/* A number of 1 to INT_MAX that is the whole text; 0 if it is not. */
int pomp_source_number(const char *text, size_t length);

/*
 * Reads the entries of a setting's value. `add` keeps one, and returns false if its value has
 * another form than `expected`, "THREADS"; such entries are reported and left out. With `failed`
 * set it had no memory.
 */
struct source_places_reading {
	const char *setting, *expected;
	bool (*add)(const struct source_place *place, bool *failed);
};
void pomp_source_places_read(
    const struct source_places_reading *reading, const char *text, FILE *messages);

/*
 * Does the entry name the construct with this descriptor: by its line, and by the file's name as
 * the compiler knew it, or its end?
 */
bool pomp_source_place_is(const struct source_place *place, const OMPRegDescr *region);

#endif
