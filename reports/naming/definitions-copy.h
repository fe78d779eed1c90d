/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the global definitions of an archive of ours, and writes them with other texts. */
#ifndef DEFINITIONS_COPY_H
#define DEFINITIONS_COPY_H

#include "region-names.h"

#include <otf2/otf2.h>

struct naming_definitions {
	char **strings; /* by reference; heap, NULL: none of that number */
	size_t string_count, string_room;
	struct naming_regions regions;
	uint64_t seen; /* definitions of kinds that are known here */
};

/*
 * Reads those of the anchor's archive; the error is that of OTF2. `all`: how many there are, of
 * whatever kind: where that is more than were seen, they cannot be copied.
 */
OTF2_ErrorCode naming_read(
    struct naming_definitions *definitions, const char *anchor, uint64_t *all);

/* Writes all of them with the regions' new texts; `added`: how many more there are. */
OTF2_ErrorCode naming_copy(struct naming_definitions *definitions, const char *anchor,
    OTF2_GlobalDefWriter *writer, uint64_t *added);
void naming_definitions_free(struct naming_definitions *definitions);

#endif
