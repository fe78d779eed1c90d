/* SPDX-License-Identifier: BSD-3-Clause */
/* What an archive defines: reading it, putting it in order, looking it up by OTF2's references. */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "archive.h"

/*
 * Reads the global definitions. -1 with a message in *error (caller frees) when none can be read.
 */
int archive_read_definitions(struct archive *archive, char **error);

/* Puts groups and locations in their order, once all are there. */
void archive_order_processes(struct archive *archive);

/* Finds the process of each rank, once all are in order, and gives locations their labels. */
void archive_number_ranks(struct archive *archive);

/*
 * What the OTF2 library says in this thread from now on goes to that archive's last_error; NULL: to
 * the one that was opened last.
 */
void archive_take_errors(struct archive *archive);

/* The string of a reference, "" when undefined. */
const char *archive_string(const struct archive *archive, OTF2_StringRef ref);

/* The index that a reference stands for, ARCHIVE_NO_INDEX when it has no definition. */
uint32_t archive_index(const struct map *map, uint64_t ref);

/* The process of the location with that reference; ARCHIVE_NO_INDEX without either. */
uint32_t archive_process_of_location(const struct archive *archive, OTF2_LocationRef ref);

#endif
