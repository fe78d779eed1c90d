/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read archives share among themselves. */
#ifndef ARCHIVE_PARTS_H
#define ARCHIVE_PARTS_H

#include "ahead.h"
#include "archive.h"

/* Reads the global definitions. -1 with a message in *error when there are none to be had. */
int archive_read_definitions(struct archive *archive, char **error);

/* Puts groups and locations in their order, once all are there. */
void archive_order_ranks(struct archive *archive);

/* The string of a reference, "" when undefined. */
const char *archive_string(const struct archive *archive, OTF2_StringRef ref);

/* The index that a reference stands for, ARCHIVE_NO_INDEX when it has no definition. */
uint32_t archive_index(const struct map *map, uint64_t ref);

/*
 * One location's reader and the events that it read ahead, on a thread of its own: of two buffers
 * the callbacks fill one while the events of the other are handed over.
 */
struct archive_source {
	struct ahead_item filling; /* while it is asked for, up to `count` is that thread's */
	struct archive *archive;
	uint32_t location;
	OTF2_EvtReader *reader; /* NULL: at its end */
	struct archive_event *events;
	uint64_t *values; /* of metrics: largest_metric_class for each event */
	size_t count, room;
	/* What is handed over. */
	struct archive_event *ready;
	uint64_t *ready_values;
	size_t next, ready_count;
};

/* The callbacks that fill a struct archive_source, which they expect as their user data. */
OTF2_EvtReaderCallbacks *archive_new_callbacks(void);

#endif
