/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of one location: its OTF2 reader, and the callbacks that fill its buffer. */
#ifndef EVENT_SOURCE_H
#define EVENT_SOURCE_H

#include "archive.h"
#include "file-records.h"

/* The reader of one location, and the events that it has read and that are not merged yet. */
struct archive_source {
	struct archive *archive;
	uint32_t location;
	OTF2_EvtReader *reader; /* NULL at the end of the location */
	struct archive_event *events;
	uint64_t *values;        /* of metrics: largest_metric_class values for each event */
	struct archive_mpi *mpi; /* one for each event; NULL until the first event of MPI */
	size_t next, count, room;
	struct file_records records; /* how many more events may be read */
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
