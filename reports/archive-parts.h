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

#define ARCHIVE_BUFFER_EVENTS 1024

/* One location's reader and the events it read ahead. */
struct archive_source {
	struct archive *archive;
	uint32_t location;
	OTF2_EvtReader *reader; /* NULL: at its end */
	size_t next, count;
	struct archive_event events[ARCHIVE_BUFFER_EVENTS];
};

/* The callbacks that fill a struct archive_source, which they expect as their user data. */
OTF2_EvtReaderCallbacks *archive_new_callbacks(void);

#endif
