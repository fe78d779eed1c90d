/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of one location: its OTF2 reader, and the callbacks that fill its buffers. */
#ifndef EVENT_SOURCE_H
#define EVENT_SOURCE_H

#include "archive.h"
#include "read-ahead.h"

enum { FRESH_EVENTS = 64 };

/*
 * The reader of one location and the events read ahead of their use, by a thread of its own. There
 * are two buffers: the callbacks fill one while the events of the other are consumed.
 */
struct archive_source {
	struct ahead_item
	    filling; /* while requested, the reading thread owns the fields up to `count` */
	struct archive *archive;
	uint32_t location;
	OTF2_EvtReader *reader; /* NULL at the end of the location */
	struct archive_event *events;
	uint64_t *values;        /* of metrics: largest_metric_class values for each event */
	struct archive_mpi *mpi; /* one for each event; NULL until the first event of MPI */
	size_t count, room;
	/* While the library reads: the events after those in `events`, at most FRESH_EVENTS. */
	struct archive_event *fresh;
	size_t fresh_count;
	/* The events being consumed. */
	struct archive_event *ready;
	uint64_t *ready_values;
	struct archive_mpi *ready_mpi;
	size_t next, ready_count;
};

/*
 * The callbacks that fill a struct archive_source, which they expect as their user data. The caller
 * deletes them.
 */
OTF2_EvtReaderCallbacks *archive_new_callbacks(void);

/*
 * archive_for_each_event() for only those locations, which are in ascending order. The archive's
 * reader must not have read any events yet.
 */
void archive_read_locations(struct archive *archive, const uint32_t *locations, size_t count,
    bool reads_ahead, archive_consume *consume, void *context);

#endif
