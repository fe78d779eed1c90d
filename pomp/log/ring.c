/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole ring is mapped once, and its segments are reserved when they are first needed. A
 * segment is full at its limit: the thread's next event then begins another one, before it changes
 * anything (pomp_event_turn_ring). The rest of the segment is room for the records of an event in
 * progress.
 */
#include "ring.h"

#include "experiment.h"
#include "event-log.h"
#include "process-state.h"
#include "window.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	LARGEST_SEGMENT = 1 << 20,
	PARTS = 16,        /* segments of a ring, if they are neither too small nor too large */
	LEAST_PARTS = 8,   /* hence the least size of a ring */
	SPARE_WORDS = 64,  /* more than a TIME, a METRICS and the longest other record need */
	EVENT_WORDS = 512, /* what the records of one event may need behind the limit */
};

/* Sets the sizes of a ring of about that many bytes. */
static void choose_sizes(struct pomp_ring *ring, uint64_t bytes)
{
	const uint64_t most = UINT64_C(1) << 40;

	if (bytes < LEAST_PARTS * (uint64_t)TRACE_LOG_SEGMENT_LEAST)
		bytes = LEAST_PARTS * (uint64_t)TRACE_LOG_SEGMENT_LEAST;
	if (bytes > most)
		bytes = most;
	uint64_t segment = bytes / PARTS / TRACE_LOG_SEGMENT_LEAST * TRACE_LOG_SEGMENT_LEAST;
	if (segment < TRACE_LOG_SEGMENT_LEAST)
		segment = TRACE_LOG_SEGMENT_LEAST;
	if (segment > LARGEST_SEGMENT)
		segment = LARGEST_SEGMENT;
	ring->segment_bytes = segment;
	ring->most = (unsigned)(bytes / segment);
	ring->bytes = TRACE_LOG_HEADER_BYTES + ring->most * ring->segment_bytes;
}

static uint64_t *segment_at(const struct pomp_ring *ring, unsigned index)
{
	return (uint64_t *)(ring->base + TRACE_LOG_HEADER_BYTES + index * ring->segment_bytes);
}

/* Reserves one more segment of the file; false with errno. */
static bool reserve(struct pomp_log *log)
{
	struct pomp_ring *ring = &log->ring;
	uint64_t offset = TRACE_LOG_HEADER_BYTES + ring->segments * (uint64_t)ring->segment_bytes;

	if (!pomp_window_file_is_ready(log) ||
	    !pomp_window_reserve(log->file.descriptor, offset, ring->segment_bytes, 0))
		return false;
	pomp_window_populate(segment_at(ring, ring->segments), ring->segment_bytes);
	ring->segments++;
	return true;
}

/* Makes the file, with a head and a first segment, and maps it. False with errno. */
static bool make_file(struct pomp_log *log, const char *name)
{
	struct pomp_ring *ring = &log->ring;

	if (!pomp_file_make(&log->file, load_relaxed(&pomp_experiment.path), name) ||
	    !pomp_window_reserve(log->file.descriptor, 0, TRACE_LOG_HEADER_BYTES, 0))
		return false;
	void *base =
	    mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, log->file.descriptor, 0);
	if (base == MAP_FAILED)
		return false;
	madvise(base, ring->bytes, MADV_DONTFORK);
	ring->base = base;
	if (reserve(log))
		return true;
	int error = errno;
	munmap(base, ring->bytes);
	ring->base = NULL;
	errno = error;
	return false;
}

/* The thread's segment is the one at `index`. Its words are cleared, and no reader sees it. */
static void begin_segment(struct pomp_log *log, unsigned index)
{
	struct pomp_ring *ring = &log->ring;
	uint64_t *words = segment_at(ring, index), *end = words + ring->segment_bytes / 8;
	struct trace_log_segment *head = (struct trace_log_segment *)(void *)words;

	store_relaxed((_Atomic uint64_t *)&head->number, 0);
	for (uint64_t *word = words + 1; word < end; word++)
		pomp_log_publish(word, 0);
	pomp_log_publish(&head->start, log->time);
	ring->current = index;
	ring->record = words + TRACE_LOG_SEGMENT_WORDS;
	ring->end = end - SPARE_WORDS;
	log->window = (char *)words;
	log->window_bytes = ring->segment_bytes;
	log->bytes += ring->segment_bytes;
	log->cursor = ring->record;
	log->limit = ring->end - EVENT_WORDS;
}

bool pomp_ring_open(struct pomp_log *log, uint64_t location, uint64_t time)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	char name[POMP_LOG_NAME];

	if (!pomp_experiment_open())
		return false;
	log->location = (unsigned)location;
	pomp_window_name(log, name);
	choose_sizes(&log->ring, pomp_process.settings.ring);
	if (!make_file(log, name)) {
		pomp_experiment_note_failure(name, errno);
		pomp_file_close(&log->file);
		log->ring = (struct pomp_ring){0};
		return false;
	}
	log->header = (struct trace_log_thread *)(void *)log->ring.base;
	log->time = time;
	log->header->location = location;
	log->header->start = time;
	log->header->latest = pomp_clock_moment(&pomp_process.clock);
	log->header->segment_bytes = log->ring.segment_bytes;
	begin_segment(log, 0);
	pomp_ring_publish(log);
	pomp_log_publish(&log->header->magic, TRACE_LOG_MAGIC);
	DEBUG_LOG(log, "location %u: opened the ring '%s' of %u segments of %zu bytes",
	    log->location, name, log->ring.most, log->ring.segment_bytes);
	return true;
}

void pomp_ring_turn(struct pomp_log *log)
{
	struct pomp_ring *ring = &log->ring;
	unsigned next = ring->current + 1;
	int error = errno;

	if (next == ring->segments && next < ring->most && !reserve(log)) {
		DEBUG_LOG(log, "location %u: the ring keeps its %u segments", log->location, next);
		ring->most = ring->segments;
	}
	errno = error;
	begin_segment(log, next < ring->segments ? next : 0);
}

/* A PAD ends the state, so that no later leave is joined with an enter in it. */
void pomp_ring_publish(struct pomp_log *log)
{
	struct trace_log_segment *head = (struct trace_log_segment *)(void *)log->window;

	pomp_log_publish(&head->state, (uint64_t)(log->cursor - log->ring.record));
	pomp_log_publish(log->cursor++, pomp_log_word(TRACE_LOG_PAD, 0, 0));
	pomp_log_publish(&head->number, ++log->ring.number);
}

void pomp_ring_make_room(struct pomp_log *log)
{
	if (log->cursor < log->ring.end)
		return;
	pomp_ring_turn(log);
	pomp_ring_publish(log);
}

void pomp_ring_close(struct pomp_log *log)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	unsigned *place = &experiment->ended[experiment->ended_count % POMP_ENDED_RINGS];
	unsigned oldest = *place;
	char name[POMP_LOG_NAME], *path = NULL;

	*place = log->location;
	munmap(log->ring.base, log->ring.bytes);
	pomp_file_close(&log->file);
	*log = (struct pomp_log){.location = oldest, .file.descriptor = -1};
	pomp_window_name(log, name);
	log->location = 0;
	if (experiment->ended_count++ < POMP_ENDED_RINGS ||
	    asprintf(&path, "%s/%s", load_relaxed(&experiment->path), name) < 0)
		return;
	unlink(path);
	free(path);
}
