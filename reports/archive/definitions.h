/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definitions of an archive: reading them, ordering them, and looking them up by OTF2's
 * references.
 */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "archive.h"

/*
 * Reads the global definitions. Returns -1, with a message in *error (caller frees), if none can be
 * read.
 */
int archive_read_definitions(struct archive *archive, char **error);

/* Orders groups and locations; all must have been read. */
void archive_order_processes(struct archive *archive);

/* Finds the process of each rank and labels the locations; both must be in order. */
void archive_number_ranks(struct archive *archive);

/*
 * From now on, errors that the OTF2 library reports in this thread go to that archive's last_error.
 * NULL: to the archive opened last.
 */
void archive_take_errors(struct archive *archive);

/* The string of a reference, "" when undefined. */
const char *archive_string(const struct archive *archive, OTF2_StringRef ref);

/* The index of a reference, or ARCHIVE_NO_INDEX if it has no definition. */
uint32_t archive_index(const struct map *map, uint64_t ref);

/*
 * The process of the location with that reference; ARCHIVE_NO_INDEX if there is no such location,
 * or it has no process.
 */
uint32_t archive_process_of_location(const struct archive *archive, OTF2_LocationRef ref);

#endif
