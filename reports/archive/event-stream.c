/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of all or some locations as one stream. Each location has its own OTF2 reader and two
 * buffers: one thread reads ahead and fills one buffer while the events of the other are consumed.
 * A heap of the locations, ordered by the time of their next event, merges them. This takes half
 * the time of the OTF2 library's own merging reader, and a damaged location does not end the
 * others.
 *
 * While events are consumed, only the thread that reads ahead calls the OTF2 library, and only it
 * accesses what the callbacks and refill() write: the counts of locations and archive, its program
 * and arguments, warnings and last_error. Other threads may read these when all events have been
 * consumed.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "event-source.h"
#include "memory.h"
#include "time-heap.h"

/*
 * How many events of a location are read at a time: all buffers together take some 8 MiB, but each
 * has at least BUFFER_LEAST events.
 */
enum { BUFFER_MOST = 1024, BUFFER_LEAST = FRESH_EVENTS, BUFFER_ALL = 128 * 1024 };

static void end_source(struct archive_source *source)
{
	OTF2_Reader_CloseEvtReader(source->archive->reader, source->reader);
	source->reader = NULL;
}

static uint64_t announced_by(const struct archive *archive)
{
	uint64_t announced = 0;

	for (size_t i = 0; i < archive->location_count; i++)
		announced += archive->locations[i].events_announced;
	return announced;
}

/* Warns if the location's events end early or are not as many as announced. */
static void warn_of_end(
    struct archive *archive, struct archive_location *location, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS) {
		location->truncated = true;
		archive_warn(archive,
		    "truncated in %s after %llu events (%s); the report covers what was readable",
		    location->name, (unsigned long long)location->events_read,
		    OTF2_Error_GetDescription(code));
	} else if (location->events_read < location->events_announced) {
		archive_warn(archive,
		    "%s has %llu events, but %llu were announced; the report covers those that are "
		    "there",
		    location->name, (unsigned long long)location->events_read,
		    (unsigned long long)location->events_announced);
	}
}

/*
 * Reads the next FRESH_EVENTS events, or fewer at the location's end. The library reads and counts
 * kinds of events without a callback, but they add nothing to the buffer.
 */
static void read_fresh(struct archive_source *source)
{
	struct archive *archive = source->archive;
	struct archive_location *location = &archive->locations[source->location];
	uint64_t read = 0;
	OTF2_ErrorCode code;

	source->fresh_count = 0;
	code = OTF2_Reader_ReadLocalEvents(archive->reader, source->reader, FRESH_EVENTS, &read);
	/*
	 * When a read fails, `read` may be unset although some events were read before the failure.
	 */
	if (read < source->fresh_count)
		read = source->fresh_count;
	location->events_read += read;
	location->events_skipped += read - source->fresh_count;
	archive->events += read;
	/* A call every million events: some ten a second. */
	if (archive->progress && archive->events >> 20 != (archive->events - read) >> 20)
		archive->progress(archive->events, announced_by(archive));
	if (code != OTF2_SUCCESS || read < FRESH_EVENTS) {
		warn_of_end(archive, location, code);
		end_source(source);
	}
}

/*
 * Fills the buffer, or reads the location to its end. Events are copied into the buffer in groups:
 * its cache lines were last read by the consuming processor, and if the library wrote each event
 * there directly it would wait for those lines as long as it takes to read the events.
 */
static void refill(struct ahead_item *item)
{
	struct archive_source *source = (struct archive_source *)item; /* its first member */
	struct archive_event fresh[FRESH_EVENTS];

	source->fresh = fresh;
	source->count = 0;
	while (source->reader && source->count + FRESH_EVENTS <= source->room) {
		read_fresh(source);
		memcpy(
		    source->events + source->count, fresh, source->fresh_count * sizeof(fresh[0]));
		source->count += source->fresh_count;
	}
	source->fresh = NULL;
}

/* Makes the filled buffer the one to consume, and requests that the other one be filled. */
static void take_filled(struct ahead *ahead, struct archive_source *source)
{
	struct archive_event *used = source->ready;
	uint64_t *used_values = source->ready_values;
	struct archive_mpi *used_mpi = source->ready_mpi;

	ahead_await(ahead, &source->filling);
	source->ready = source->events;
	source->ready_values = source->values;
	source->ready_mpi = source->mpi;
	source->ready_count = source->count;
	source->next = 0;
	source->events = used;
	source->values = used_values;
	source->mpi = used_mpi;
	if (source->ready_count > 0)
		ahead_request(ahead, &source->filling);
}

static void merge(struct ahead *ahead, struct archive_source **sources, struct time_head *heap,
    size_t count, archive_consume *consume, void *context)
{
	time_heap_order(heap, count);
	while (count > 0) {
		struct archive_source *first = sources[heap[0].stream];

		consume(context, &first->ready[first->next++]);
		if (first->next == first->ready_count)
			take_filled(ahead, first);
		if (first->ready_count == 0)
			heap[0] = heap[--count];
		else
			heap[0].time = first->ready[first->next].time;
		if (count > 0)
			time_heap_sift(heap, count, 0);
	}
}

/*
 * Local definitions hold the mapping of ids and the clock corrections that the event reader
 * applies.
 */
static void read_local_definitions(struct archive *archive, struct archive_location *location)
{
	OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive->reader, location->ref);
	uint64_t read;

	if (!reader)
		return;
	location->has_local_definitions = true;
	OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &read);
	OTF2_Reader_CloseDefReader(archive->reader, reader);
}

static struct archive_source *open_source(
    struct archive *archive, uint32_t index, size_t count, OTF2_EvtReaderCallbacks *callbacks)
{
	struct archive_location *location = &archive->locations[index];
	struct archive_source *source = memory_new(1, sizeof(*source));
	size_t room = BUFFER_ALL / count;

	source->archive = archive;
	source->location = index;
	source->room = room > BUFFER_MOST ? BUFFER_MOST : room < BUFFER_LEAST ? BUFFER_LEAST : room;
	source->events = memory_new(source->room, sizeof(source->events[0]));
	source->ready = memory_new(source->room, sizeof(source->ready[0]));
	source->values =
	    memory_new(source->room * archive->largest_metric_class, sizeof(source->values[0]));
	source->ready_values =
	    memory_new(source->room * archive->largest_metric_class, sizeof(source->values[0]));
	source->reader = OTF2_Reader_GetEvtReader(archive->reader, location->ref);
	if (!source->reader) {
		if (location->events_announced > 0)
			archive_warn(archive,
			    "the events of %s cannot be read (%s); it is left out", location->name,
			    archive->last_error ? archive->last_error : "no reason given");
		location->truncated = location->events_announced > 0;
		return source;
	}
	OTF2_Reader_RegisterEvtCallbacks(archive->reader, source->reader, callbacks, source);
	return source;
}

static void free_source(struct archive_source *source)
{
	free(source->events);
	free(source->ready);
	free(source->values);
	free(source->ready_values);
	free(source->mpi);
	free(source->ready_mpi);
	free(source);
}

/* Opens the sources of those locations and reads the definitions that their event readers need. */
static struct archive_source **open_sources(struct archive *archive, const uint32_t *locations,
    size_t count, OTF2_EvtReaderCallbacks *callbacks)
{
	struct archive_source **sources = memory_new(count, sizeof(sources[0]));

	for (size_t i = 0; i < count; i++)
		OTF2_Reader_SelectLocation(archive->reader, archive->locations[locations[i]].ref);
	if (OTF2_Reader_OpenDefFiles(archive->reader) == OTF2_SUCCESS) {
		for (size_t i = 0; i < count; i++)
			read_local_definitions(archive, &archive->locations[locations[i]]);
		OTF2_Reader_CloseDefFiles(archive->reader);
	}
	OTF2_Reader_OpenEvtFiles(archive->reader);
	for (size_t i = 0; i < count; i++)
		sources[i] = open_source(archive, locations[i], count, callbacks);
	return sources;
}

void archive_read_locations(struct archive *archive, const uint32_t *locations, size_t count,
    bool reads_ahead, archive_consume *consume, void *context)
{
	OTF2_EvtReaderCallbacks *callbacks = archive_new_callbacks();
	struct archive_source **sources = open_sources(archive, locations, count, callbacks);
	struct time_head *heap = memory_new(count, sizeof(heap[0]));
	struct ahead *ahead = ahead_start(refill, reads_ahead);
	size_t started = 0;

	for (size_t i = 0; i < count; i++)
		ahead_request(ahead, &sources[i]->filling);
	for (size_t i = 0; i < count; i++) {
		take_filled(ahead, sources[i]);
		if (sources[i]->ready_count > 0)
			heap[started++] = (struct time_head){
			    sources[i]->ready[0].time, locations[i], (uint32_t)i};
	}
	merge(ahead, sources, heap, started, consume, context);
	ahead_stop(ahead);
	OTF2_Reader_CloseEvtFiles(archive->reader);
	for (size_t i = 0; i < count; i++)
		free_source(sources[i]);
	free(sources);
	free(heap);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}

size_t archive_jobs(const struct archive *archive)
{
	cpu_set_t allowed;

	if (archive->jobs > 0)
		return archive->jobs;
	return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? (size_t)CPU_COUNT(&allowed)
								    : 1;
}
