/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements event-bytes.h. An event's first number is its kind, and whether it has the two numbers
 * that most kinds do not have.
 */
#include "event-bytes.h"

#include "numbers.h"

enum {
	HAS_NUMBERS = 1,
	KIND_SHIFT = 1,
	HEAD_NUMBERS = 4,
	MPI_NUMBERS = 5,
};

size_t event_bytes_most(const struct archive *archive)
{
	size_t values = archive->largest_metric_class;

	return NUMBER_BYTES * (HEAD_NUMBERS + (values > MPI_NUMBERS ? values : MPI_NUMBERS));
}

/* How many values an event has whose class is known. */
static uint32_t value_count(const struct archive *archive, const struct archive_event *event)
{
	return event->subject == ARCHIVE_NO_INDEX ? 0
						  : archive->metric_classes[event->subject].count;
}

static unsigned char *put_mpi(const struct archive_mpi *mpi, unsigned char *at)
{
	at = number_put(at, mpi->peer);
	at = number_put(at, mpi->tag);
	at = number_put(at, mpi->bytes);
	at = number_put(at, mpi->received);
	return number_put(at, mpi->request);
}

unsigned char *event_bytes_put(struct event_bytes *state, const struct archive *archive,
    const struct archive_event *event, unsigned char *at)
{
	bool is_mpi = archive_is_mpi_event(event->kind), is_metric = event->kind == EVENT_METRIC;
	bool has_numbers = !is_mpi && !is_metric && (event->creator > 0 || event->generation > 0);

	at = number_put(at, event->kind << KIND_SHIFT | (has_numbers ? HAS_NUMBERS : 0));
	at = number_put(at, number_of_step(state->location, event->location));
	at = number_put(at, number_of_step(state->time, event->time));
	/* One without definition is 0. */
	at = number_put(at, (uint32_t)(event->subject + 1));
	state->location = event->location;
	state->time = event->time;
	if (is_mpi)
		return put_mpi(event->mpi, at);
	for (uint32_t i = 0; is_metric && i < value_count(archive, event); i++)
		at = number_put(at, event->values[i]);
	if (has_numbers) {
		at = number_put(at, event->creator);
		at = number_put(at, event->generation);
	}
	return at;
}

void event_bytes_get(
    struct event_bytes *state, struct archive_event *event, const unsigned char **at)
{
	uint64_t first = number_get(at);

	state->location = (uint32_t)number_step(state->location, number_get(at));
	state->time = number_step(state->time, number_get(at));
	*event = (struct archive_event){.time = state->time,
	    .location = state->location,
	    .kind = (uint32_t)(first >> KIND_SHIFT)};
	event->subject = (uint32_t)number_get(at) - 1;
	/* Marks for the second step that there are numbers. */
	event->creator = first & HAS_NUMBERS;
}

void event_bytes_get_rest(const struct archive *archive, struct archive_event *event,
    const unsigned char **at, uint64_t *values, struct archive_mpi *mpi)
{
	if (archive_is_mpi_event(event->kind)) {
		mpi->peer = (uint32_t)number_get(at);
		mpi->tag = (uint32_t)number_get(at);
		mpi->bytes = number_get(at);
		mpi->received = number_get(at);
		mpi->request = number_get(at);
		event->mpi = mpi;
	} else if (event->kind == EVENT_METRIC) {
		for (uint32_t i = 0; i < value_count(archive, event); i++)
			values[i] = number_get(at);
		event->values = values;
	} else if (event->creator > 0) {
		event->creator = (uint32_t)number_get(at);
		event->generation = (uint32_t)number_get(at);
	}
}
