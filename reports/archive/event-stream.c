/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of all or some locations as one stream. Each location has its own OTF2 reader and a
 * buffer. A heap of the locations, ordered by the time of their next event, merges them into
 * batches, which are consumed in turn: one thread reads and merges ahead and fills a batch while
 * another one is consumed. Reading and merging together take about as long as what most reports
 * do with the events. A damaged location does not end the others.
 *
 * While events are consumed, only the thread that reads ahead calls the OTF2 library and uses the
 * sources and the heap, and only it accesses what the callbacks and read_more() write: the counts
 * of locations and archive, its program and arguments, warnings and last_error. Other threads may
 * read these when all events have been consumed.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "event-source.h"
#include "memory.h"
#include "read-ahead.h"
#include "time-heap.h"

/*
 * How many events of a location are read at a time: all buffers together take some 4 MiB, but each
 * has at least BUFFER_LEAST events.
 */
enum { BUFFER_MOST = 1024, BUFFER_LEAST = 64, BUFFER_ALL = 128 * 1024 };

/* Merged events are handed over in batches, which together fit into a processor's cache. */
enum { BATCH_EVENTS = 1024, BATCHES = 8 };

/* The locations that have events left, ordered by the time of their next event. */
struct merging {
	struct archive_source **sources;
	struct time_head *heap;
	size_t count;
};

struct batch {
	struct ahead_item item; /* while requested, the reading thread owns the batch */
	struct merging *merging;
	struct archive_event *events;
	uint64_t *values;        /* of metrics: largest_metric_class values for each event */
	struct archive_mpi *mpi; /* one for each event; NULL until the first event of MPI */
	size_t count;
};

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

/* Warns if the location's events end early (`why`, or NULL) or are not as many as announced. */
static void warn_of_end(struct archive *archive, struct archive_location *location, const char *why)
{
	if (why) {
		location->truncated = true;
		archive_warn(archive,
		    "truncated in %s after %llu events (%s); the report covers what was readable",
		    location->name, (unsigned long long)location->events_read, why);
	} else if (location->events_read < location->events_announced) {
		archive_warn(archive,
		    "%s has %llu events, but %llu were announced; the report covers those that are "
		    "there",
		    location->name, (unsigned long long)location->events_read,
		    (unsigned long long)location->events_announced);
	}
}

/*
 * Reads the next events of the location; there are none at its end. The library reads and counts
 * kinds of events without a callback, but they add nothing to the buffer.
 */
static void read_more(struct archive_source *source)
{
	struct archive *archive = source->archive;
	struct archive_location *location = &archive->locations[source->location];

	source->next = source->count = 0;
	while (source->reader && source->count == 0) {
		uint64_t left = source->records.most, read = 0;
		uint64_t wanted = left < source->room ? left : source->room;
		OTF2_ErrorCode code =
		    OTF2_Reader_ReadLocalEvents(archive->reader, source->reader, wanted, &read);

		/*
		 * When a read fails, `read` may be unset although some events were read before the
		 * failure.
		 */
		if (read < source->count)
			read = source->count;
		source->records.most -= read;
		location->events_read += read;
		location->events_skipped += read - source->count;
		archive->events += read;
		/* A call every million events: some ten a second. */
		if (archive->progress && archive->events >> 20 != (archive->events - read) >> 20)
			archive->progress(archive->events, announced_by(archive));
		if (code != OTF2_SUCCESS || read < source->room) {
			warn_of_end(archive, location,
			    code != OTF2_SUCCESS ? OTF2_Error_GetDescription(code)
						 : source->records.trouble);
			end_source(source);
		}
	}
}

/* Copies the source's next event to the batch, with the values that it refers to. */
static void copy_event(struct batch *batch, struct archive_source *source)
{
	const struct archive_event *event = &source->events[source->next++];
	struct archive_event *copy = &batch->events[batch->count];
	size_t width = source->archive->largest_metric_class;

	*copy = *event;
	if (event->kind == EVENT_METRIC) {
		uint64_t *values = batch->values + batch->count * width;

		memcpy(values, event->values, width * sizeof(values[0]));
		copy->values = values;
	} else if (archive_is_mpi_event(event->kind) && event->mpi) {
		if (!batch->mpi)
			batch->mpi = memory_new(BATCH_EVENTS, sizeof(batch->mpi[0]));
		batch->mpi[batch->count] = *event->mpi;
		copy->mpi = &batch->mpi[batch->count];
	}
	batch->count++;
}

/*
 * Copies events of the first location of the heap up to the next event of another one, to the end
 * of the location's buffer, or until the batch is full; at least one.
 */
static void copy_run(struct batch *batch, struct merging *merging, struct archive_source *first)
{
	struct time_head head = merging->heap[0];
	const struct time_head *other = NULL;

	if (merging->count > 1)
		other = &merging->heap[1];
	if (merging->count > 2 && time_head_is_before(&merging->heap[2], other))
		other = &merging->heap[2];
	do {
		copy_event(batch, first);
		if (first->next == first->count || batch->count == BATCH_EVENTS)
			break;
		head.time = first->events[first->next].time;
	} while (!other || time_head_is_before(&head, other));
}

/* Fills the batch with the next events in the order of time; it stays empty at the end of all. */
static void fill(struct ahead_item *item)
{
	struct batch *batch = (struct batch *)item; /* its first member */
	struct merging *merging = batch->merging;
	struct time_head *heap = merging->heap;

	batch->count = 0;
	while (batch->count < BATCH_EVENTS && merging->count > 0) {
		struct archive_source *first = merging->sources[heap[0].stream];

		copy_run(batch, merging, first);
		if (first->next == first->count)
			read_more(first);
		if (first->count == 0)
			heap[0] = heap[--merging->count];
		else
			heap[0].time = first->events[first->next].time;
		if (merging->count > 0)
			time_heap_sift(heap, merging->count, 0);
	}
}

/* Reads the first events of all sources. */
static void start_merging(struct merging *merging, const uint32_t *locations, size_t count)
{
	merging->heap = memory_new(count, sizeof(merging->heap[0]));
	for (size_t i = 0; i < count; i++) {
		struct archive_source *source = merging->sources[i];

		read_more(source);
		if (source->count > 0)
			merging->heap[merging->count++] =
			    (struct time_head){source->events[0].time, locations[i], (uint32_t)i};
	}
	time_heap_order(merging->heap, merging->count);
}

/* While the events of one batch are consumed, a thread of its own may fill the others. */
static void merge(struct archive *archive, struct merging *merging, bool reads_ahead,
    archive_consume *consume, void *context)
{
	size_t count = reads_ahead ? BATCHES : 1;
	struct batch *batches = memory_new(count, sizeof(batches[0]));
	struct ahead *ahead = ahead_start(fill, reads_ahead);

	for (size_t i = 0; i < count; i++) {
		batches[i].merging = merging;
		batches[i].events = memory_new(BATCH_EVENTS, sizeof(batches[i].events[0]));
		batches[i].values = memory_new(BATCH_EVENTS * (size_t)archive->largest_metric_class,
		    sizeof(batches[i].values[0]));
		ahead_request(ahead, &batches[i].item);
	}
	for (size_t at = 0;; at = (at + 1) % count) {
		struct batch *batch = &batches[at];

		ahead_await(ahead, &batch->item);
		if (batch->count == 0)
			break;
		for (size_t i = 0; i < batch->count; i++)
			consume(context, &batch->events[i]);
		ahead_request(ahead, &batch->item);
	}
	ahead_stop(ahead);
	for (size_t i = 0; i < count; i++) {
		free(batches[i].events);
		free(batches[i].values);
		free(batches[i].mpi);
	}
	free(batches);
}

/*
 * Local definitions hold the mapping of ids and the clock corrections that the event reader
 * applies.
 */
static void read_local_definitions(struct archive *archive, struct archive_location *location)
{
	struct file_records records =
	    archive_file_records(archive, CONTENT_LOCAL_DEFINITIONS, location->ref);
	const char *why = records.trouble;
	OTF2_DefReader *reader = NULL;
	uint64_t read = 0;

	location->has_local_definitions = !records.is_readable;
	if (records.is_readable)
		reader = OTF2_Reader_GetDefReader(archive->reader, location->ref);
	if (reader) {
		OTF2_ErrorCode code =
		    OTF2_Reader_ReadLocalDefinitions(archive->reader, reader, records.most, &read);

		location->has_local_definitions = true;
		if (code != OTF2_SUCCESS)
			why = OTF2_Error_GetDescription(code);
		OTF2_Reader_CloseDefReader(archive->reader, reader);
	}
	if (why)
		archive_warn(archive,
		    "the definitions of %s end after %llu of them (%s); its names and times may be "
		    "wrong",
		    location->name, (unsigned long long)read, why);
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
	source->values =
	    memory_new(source->room * archive->largest_metric_class, sizeof(source->values[0]));
	source->records = archive_file_records(archive, CONTENT_EVENTS, location->ref);
	if (!source->records.is_readable) {
		warn_of_end(archive, location, source->records.trouble);
		return source;
	}
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
	free(source->values);
	free(source->mpi);
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
	struct merging merging = {.sources = sources};

	start_merging(&merging, locations, count);
	merge(archive, &merging, reads_ahead, consume, context);
	OTF2_Reader_CloseEvtFiles(archive->reader);
	for (size_t i = 0; i < count; i++)
		free_source(sources[i]);
	free(sources);
	free(merging.heap);
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
