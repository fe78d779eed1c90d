/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements event-counts.h. */
#include "event-counts.h"

#include <stdlib.h>

#include "memory.h"

static void clear(void *context)
{
	struct event_counts *counts = context;

	*counts = (struct event_counts){.first = UINT64_MAX};
}

static void *part_new(const struct archive *archive, const struct gathering_choice *choice)
{
	struct event_counts *counts = memory_new(1, sizeof(*counts));

	(void)archive, (void)choice;
	clear(counts);
	return counts;
}

static void consume(void *context, const struct archive_event *event)
{
	struct event_counts *counts = context;

	counts->kinds[event->kind]++;
	if (event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND) {
		counts->messages++;
		counts->bytes += event->mpi->bytes;
	}
	counts->collectives +=
	    event->kind == EVENT_MPI_COLLECTIVE_END || event->kind == EVENT_MPI_COLLECTIVE_DONE;
	if (event->time < counts->first)
		counts->first = event->time;
	if (event->time > counts->last)
		counts->last = event->time;
}

static void finish(void *context, const struct archive_process *process, struct message *found)
{
	(void)process;
	message_bytes(found, context, sizeof(struct event_counts));
	clear(context);
}

static void add(void *context, const struct archive_process *process, struct message *found)
{
	struct event_counts *sum = context, part;

	(void)process;
	MESSAGE_FIELD(found, part);
	for (size_t i = 0; i < EVENT_KINDS; i++)
		sum->kinds[i] += part.kinds[i];
	sum->messages += part.messages;
	sum->bytes += part.bytes;
	sum->collectives += part.collectives;
	if (part.first < sum->first)
		sum->first = part.first;
	if (part.last > sum->last)
		sum->last = part.last;
}

const struct gathering gathered_event_counts = {
    READER_EVENT_COUNTS, part_new, free, consume, finish, add, clear};

void event_counts_read(struct event_counts *counts, struct archive *archive)
{
	const struct gathering_choice all = {.to = UINT64_MAX};

	clear(counts);
	gathering_read(&gathered_event_counts, archive, &all, counts);
}
