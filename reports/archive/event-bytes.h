/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as few bytes: numbers in the format of numbers.h, of which times and locations are steps.
 */
#ifndef EVENT_BYTES_H
#define EVENT_BYTES_H

#include "archive.h"

/* What the next event's numbers count from; initially all zero bytes. */
struct event_bytes {
	uint64_t time;
	uint32_t location;
};

/* The most bytes of an event of this archive. */
size_t event_bytes_most(const struct archive *archive);

/* Writes the event; returns the place after it. */
unsigned char *event_bytes_put(struct event_bytes *state, const struct archive *archive,
    const struct archive_event *event, unsigned char *at);

/*
 * Reads an event in two steps, moving *at: at first its time, location, kind and subject, and later
 * the rest of it, with room for its values (largest_metric_class of them) and those of MPI.
 */
void event_bytes_get(
    struct event_bytes *state, struct archive_event *event, const unsigned char **at);
void event_bytes_get_rest(const struct archive *archive, struct archive_event *event,
    const unsigned char **at, uint64_t *values, struct archive_mpi *mpi);

#endif
