/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read archives share among themselves. */
#ifndef ARCHIVE_PARTS_H
#define ARCHIVE_PARTS_H

#include "read-ahead.h"
#include "archive.h"

/* Reads the global definitions. -1 with a message in *error when there are none to be had. */
int archive_read_definitions(struct archive *archive, char **error);

/* Puts groups and locations in their order, once all are there. */
void archive_order_ranks(struct archive *archive);

/* The process of each rank, once all are in order, and what threads are called beside others'. */
void archive_number_ranks(struct archive *archive);

/* The list of MPI's locations, of which the i-th is a thread of rank i; NULL without. */
const struct archive_list *archive_mpi_locations(const struct archive *archive);

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
	uint64_t *values;        /* of metrics: largest_metric_class for each event */
	struct archive_mpi *mpi; /* one for each event; NULL until there is one of MPI's */
	size_t count, room;
	/* What is handed over. */
	struct archive_event *ready;
	uint64_t *ready_values;
	struct archive_mpi *ready_mpi;
	size_t next, ready_count;
};

/* The callbacks that fill a struct archive_source, which they expect as their user data. */
OTF2_EvtReaderCallbacks *archive_new_callbacks(void);
/* Of these, those of MPI's events: archive-callbacks-mpi.c. */
void archive_set_mpi_callbacks(OTF2_EvtReaderCallbacks *callbacks);

/* The part of the signature that all event callbacks share. */
#define ARCHIVE_CALLBACK                                                                           \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,          \
	    OTF2_AttributeList *attributes
#define ARCHIVE_CALLBACK_UNUSED (void)location, (void)position, (void)attributes

/* A callback's event: the next in the source's buffer. */
static inline struct archive_event *archive_add_event(
    struct archive_source *source, uint64_t time, enum archive_event_kind kind)
{
	struct archive_event *event = &source->events[source->count++];

	*event = (struct archive_event){.time = time, .location = source->location, .kind = kind};
	return event;
}

#endif
