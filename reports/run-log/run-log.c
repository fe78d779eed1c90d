/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events as bytes and reads them again; run-log.h defines the format. */
#include "run-log.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { TASK_EXTRAS = 2, MPI_EXTRAS = 5 };

void run_log_init(struct run_log *log, const struct archive *archive, size_t bytes_max)
{
	*log = (struct run_log){
	    .archive = archive, .last_time = archive->clock_start, .bytes_max = bytes_max};
}

void run_log_finish(struct run_log *log)
{
	free(log->bytes.data);
	pair_map_free(&log->codes);
	free(log->usage.of);
	*log = (struct run_log){.full = log->full};
}

unsigned run_log_extras(uint32_t kind)
{
	if (kind == EVENT_TASK_CREATE || kind == EVENT_TASK_SWITCH || kind == EVENT_TASK_COMPLETE)
		return TASK_EXTRAS;
	if (kind == RUN_LOG_USAGE)
		return TRACE_USAGE_VALUES;
	return archive_is_mpi_event(kind) ? MPI_EXTRAS : 0;
}

/* The event's kind in the bytes. */
static uint32_t kind_of(const struct run_log *log, const struct archive_event *event)
{
	return archive_has_usage(log->archive, event) ? RUN_LOG_USAGE : event->kind;
}

static uint64_t *last_usage(struct last_usage *usage, uint32_t location)
{
	MEMORY_GROW(usage->of, usage->room, (size_t)location + 1);
	return usage->of[location];
}

/* A new code is followed by its meaning. */
static void put_code(struct run_log *log, const struct archive_event *event, uint32_t kind)
{
	struct map_key key = {(uint64_t)event->location << 8 | kind, event->subject};
	uint64_t code = pair_map_find(&log->codes, key);

	if (code != MAP_NONE) {
		bytes_put(&log->bytes, code);
		return;
	}
	bytes_put(&log->bytes, log->code_count);
	memory_pair_map_set(&log->codes, key, log->code_count++);
	bytes_put(&log->bytes, event->location);
	bytes_put(&log->bytes, kind);
	bytes_put(
	    &log->bytes, event->subject == ARCHIVE_NO_INDEX ? 0 : (uint64_t)event->subject + 1);
}

static void put_usage(struct run_log *log, const struct archive_event *event)
{
	uint64_t *last = last_usage(&log->usage, event->location);

	for (unsigned i = 0; i < TRACE_USAGE_VALUES; i++) {
		uint64_t growth = event->values[i] - last[i];

		bytes_signed(&log->bytes, &growth);
		last[i] = event->values[i];
	}
}

static void put_extras(struct bytes *bytes, const struct archive_event *event)
{
	if (run_log_extras(event->kind) == TASK_EXTRAS) {
		bytes_put(bytes, event->creator);
		bytes_put(bytes, event->generation);
	} else if (run_log_extras(event->kind) == MPI_EXTRAS) {
		bytes_put(bytes, event->mpi->peer);
		bytes_put(bytes, event->mpi->tag);
		bytes_put(bytes, event->mpi->bytes);
		bytes_put(bytes, event->mpi->received);
		bytes_put(bytes, event->mpi->request);
	}
}

void run_log_add(void *given, const struct archive_event *event)
{
	struct run_log *log = given;
	uint64_t step = event->time - log->last_time;
	uint32_t kind;

	if (log->full || archive_is_of_counters(log->archive, event) ||
	    archive_has_mark(log->archive, event))
		return;
	kind = kind_of(log, event);
	put_code(log, event, kind);
	bytes_signed(&log->bytes, &step);
	log->last_time = event->time;
	if (kind == RUN_LOG_USAGE)
		put_usage(log, event);
	else
		put_extras(&log->bytes, event);
	if (log->bytes.count > log->bytes_max) {
		log->full = true;
		run_log_finish(log);
	}
}

/* The meanings of the codes while events are read. */
struct codes {
	struct archive_event *events;
	size_t count, room;
};

/* The event without its time and extras. */
static struct archive_event get_code(struct bytes *bytes, struct codes *codes)
{
	uint64_t code = bytes_get(bytes), subject;
	struct archive_event *event;

	if (code > codes->count) {
		bytes->broken = true;
		return (struct archive_event){0};
	}
	if (code == codes->count) {
		event = MEMORY_ADD(codes->events, codes->room, codes->count);
		event->location = (uint32_t)bytes_get(bytes);
		event->kind = (uint32_t)bytes_get(bytes);
		subject = bytes_get(bytes);
		event->subject = subject == 0 ? ARCHIVE_NO_INDEX : (uint32_t)(subject - 1);
		bytes->broken |= event->kind >= RUN_LOG_KINDS;
	}
	return codes->events[code];
}

/* The values are valid until the next event. */
static void get_usage(struct bytes *bytes, struct archive_event *event, struct last_usage *usage)
{
	uint64_t *last = last_usage(usage, event->location);

	for (unsigned i = 0; i < TRACE_USAGE_VALUES; i++) {
		uint64_t growth = 0;

		bytes_signed(bytes, &growth);
		last[i] += growth;
	}
	event->kind = EVENT_METRIC;
	event->values = last;
}

static void get_extras(struct bytes *bytes, struct archive_event *event, struct archive_mpi *mpi)
{
	if (run_log_extras(event->kind) == TASK_EXTRAS) {
		event->creator = (uint32_t)bytes_get(bytes);
		event->generation = (uint32_t)bytes_get(bytes);
	} else if (run_log_extras(event->kind) == MPI_EXTRAS) {
		mpi->peer = (uint32_t)bytes_get(bytes);
		mpi->tag = (uint32_t)bytes_get(bytes);
		mpi->bytes = bytes_get(bytes);
		mpi->received = bytes_get(bytes);
		mpi->request = bytes_get(bytes);
		event->mpi = mpi;
	}
}

void run_log_replay(const struct archive *archive, const unsigned char *data, size_t count,
    void (*consume)(void *context, const struct archive_event *event), void *context)
{
	struct bytes bytes = {.data = (unsigned char *)data, .count = count, .reads = true};
	struct codes codes = {0};
	struct archive_mpi mpi;
	uint64_t time = archive->clock_start, step = 0;
	struct last_usage usage = {0};

	while (bytes.at < bytes.count) {
		struct archive_event event = get_code(&bytes, &codes);

		bytes_signed(&bytes, &step);
		time += step;
		event.time = time;
		if (event.kind == RUN_LOG_USAGE && event.location < archive->thread_count)
			get_usage(&bytes, &event, &usage);
		else
			get_extras(&bytes, &event, &mpi);
		if (bytes.broken)
			break;
		consume(context, &event);
	}
	free(codes.events);
	free(usage.of);
}
