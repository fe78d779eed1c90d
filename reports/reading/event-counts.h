/* SPDX-License-Identifier: BSD-3-Clause */
/* How many events of which kinds an archive has. */
#ifndef EVENT_COUNTS_H
#define EVENT_COUNTS_H

#include "gathering.h"

struct event_counts {
	uint64_t kinds[EVENT_KINDS];
	uint64_t first, last; /* ticks; without events UINT64_MAX, 0 */
	/* Of MPI: messages sent and their bytes; operations ended, counted per member. */
	uint64_t messages, bytes, collectives;
};

/* Reads all events. */
void event_counts_read(struct event_counts *counts, struct archive *archive);

/* What is gathered for it. */
extern const struct gathering gathered_event_counts;

#endif
