/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the global definitions of an archive made by libpomp, and writes them with other texts. */
#ifndef DEFINITIONS_COPY_H
#define DEFINITIONS_COPY_H

#include "region-names.h"

#include "shared/hash-map.h"

#include <otf2/otf2.h>

struct naming_definitions {
	char **strings; /* by reference, heap; NULL: no string has that reference */
	size_t string_count, string_room;
	struct map region_of; /* reference to index */
	uint32_t places;      /* of places in the source: the first reference after all of them */
	struct naming_regions regions;
	uint64_t seen; /* number of definitions of the kinds known here */
};

/*
 * Reads the definitions of the anchor's archive; the error is OTF2's. `all`: the number of
 * definitions of every kind. If it is greater than `seen`, they cannot be copied.
 */
OTF2_ErrorCode naming_read(
    struct naming_definitions *definitions, const char *anchor, uint64_t *all);

/* Writes all definitions with the regions' new texts; `added`: how many definitions were added. */
OTF2_ErrorCode naming_copy(struct naming_definitions *definitions, const char *anchor,
    OTF2_GlobalDefWriter *writer, uint64_t *added);
void naming_definitions_free(struct naming_definitions *definitions);

#endif
