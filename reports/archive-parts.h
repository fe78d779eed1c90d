/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read archives share among themselves. */
#ifndef ARCHIVE_PARTS_H
#define ARCHIVE_PARTS_H

#include "archive.h"

/* Reads the global definitions. -1 with a message in *error when there are none to be had. */
int archive_read_definitions(struct archive *archive, char **error);

/* The string of a reference, "" when undefined. */
const char *archive_string(const struct archive *archive, OTF2_StringRef ref);

/* The index that a reference stands for, ARCHIVE_NO_INDEX when it has no definition. */
uint32_t archive_index(const struct map *map, uint64_t ref);

#endif
