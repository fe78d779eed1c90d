/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slices as a trace of Perfetto: a stream of packets (perfetto/trace/trace.proto) with a track for
 * each process and thread and two track events for each slice. Names and places are interned: each
 * region's is written once, with its first slice, so that an event takes about 20 bytes.
 */
#include <stdlib.h>

#include "export.h"
#include "memory.h"
#include "protobuf.h"

/* Field numbers of Perfetto's published schema, message by message. */
enum { TRACE_PACKET = 1 };
enum packet_field {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
};
enum track_event_field {
	TRACK_EVENT_CATEGORY_IIDS = 3,
	TRACK_EVENT_TYPE = 9,
	TRACK_EVENT_NAME_IID = 10,
	TRACK_EVENT_TRACK_UUID = 11,
	TRACK_EVENT_SOURCE_LOCATION_IID = 34,
};
enum slice_type { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2 };
enum sequence_flag { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum interned_field { INTERNED_CATEGORIES = 1, INTERNED_NAMES = 2, INTERNED_LOCATIONS = 4 };
enum named_field { NAMED_IID = 1, NAMED_NAME = 2 };
enum location_field {
	LOCATION_IID = 1,
	LOCATION_FILE = 2,
	LOCATION_FUNCTION = 3,
	LOCATION_LINE = 4
};
enum track_field { TRACK_UUID = 1, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum process_field { PROCESS_PID = 1, PROCESS_CMDLINE = 2, PROCESS_NAME = 6 };
enum thread_field { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

#define SEQUENCE 1
#define CATEGORY 1 /* the only one */

struct perfetto {
	struct protobuf packet, event, part, item; /* kept for their memory */
	bool *known;                               /* by region, the last one is "?" */
	bool started;
};

/* Track ids and pids must not be 0, which is the idle process: rank 0 is 1. */
static uint32_t pid_of(const struct archive *archive, uint32_t group)
{
	return (group == ARCHIVE_NO_INDEX ? (uint32_t)archive->group_count : group) + 1;
}

static uint64_t process_track(uint32_t pid)
{
	return pid;
}

static uint64_t thread_track(const struct archive *archive, uint32_t location)
{
	return archive->group_count + 2 + location;
}

static void write_packet(struct export *export, struct perfetto *perfetto)
{
	protobuf_put_number(&perfetto->packet, PACKET_SEQUENCE_ID, SEQUENCE);
	protobuf_write(export->out, TRACE_PACKET, &perfetto->packet);
}

static void write_track(struct export *export, struct perfetto *perfetto)
{
	protobuf_put_message(&perfetto->packet, PACKET_TRACK_DESCRIPTOR, &perfetto->part);
	write_packet(export, perfetto);
}

static void write_process(struct export *export, struct perfetto *perfetto, uint32_t group)
{
	const struct archive *archive = export->archive;
	char *name = archive_process_name(archive, group);
	uint32_t pid = pid_of(archive, group);

	protobuf_put_number(&perfetto->part, TRACK_UUID, process_track(pid));
	protobuf_put_number(&perfetto->item, PROCESS_PID, pid);
	if (archive->program)
		protobuf_put_text(&perfetto->item, PROCESS_CMDLINE, archive->program);
	for (size_t i = 0; i < archive->argument_count; i++)
		protobuf_put_text(&perfetto->item, PROCESS_CMDLINE, archive->arguments[i]);
	protobuf_put_text(&perfetto->item, PROCESS_NAME, name);
	free(name);
	protobuf_put_message(&perfetto->part, TRACK_PROCESS, &perfetto->item);
	write_track(export, perfetto);
}

static void write_thread(struct export *export, struct perfetto *perfetto, uint32_t location)
{
	const struct archive *archive = export->archive;
	uint32_t pid = pid_of(archive, archive->locations[location].group);

	protobuf_put_number(&perfetto->part, TRACK_UUID, thread_track(archive, location));
	protobuf_put_number(&perfetto->part, TRACK_PARENT, process_track(pid));
	protobuf_put_number(&perfetto->item, THREAD_PID, pid);
	/* A thread's number must differ from all others' and, but for the main one, from pids. */
	protobuf_put_number(&perfetto->item, THREAD_TID, archive->group_count + 2 + location);
	protobuf_put_text(&perfetto->item, THREAD_NAME, archive->locations[location].name);
	protobuf_put_message(&perfetto->part, TRACK_THREAD, &perfetto->item);
	write_track(export, perfetto);
}

static void begin(struct export *export)
{
	const struct archive *archive = export->archive;
	struct perfetto *perfetto = memory_new(1, sizeof(*perfetto));

	export->state = perfetto;
	perfetto->known = memory_new(archive->region_count + 1, sizeof(perfetto->known[0]));
	for (uint32_t i = 0; i < archive->group_count; i++)
		write_process(export, perfetto, i);
	/* Locations without a group are the last ones. */
	if (archive->locations[archive->location_count - 1].group == ARCHIVE_NO_INDEX)
		write_process(export, perfetto, ARCHIVE_NO_INDEX);
	for (uint32_t i = 0; i < archive->location_count; i++)
		write_thread(export, perfetto, i);
}

static void intern_text(struct perfetto *perfetto, unsigned field, uint64_t id, const char *text)
{
	protobuf_put_number(&perfetto->item, NAMED_IID, id);
	protobuf_put_text(&perfetto->item, NAMED_NAME, text);
	protobuf_put_message(&perfetto->part, field, &perfetto->item);
}

/* The packet of a region's first slice carries its name and place. */
static void intern_region(
    struct export *export, struct perfetto *perfetto, uint32_t region, uint64_t id)
{
	const struct archive *archive = export->archive;

	if (!perfetto->started)
		intern_text(perfetto, INTERNED_CATEGORIES, CATEGORY, "openmp");
	intern_text(perfetto, INTERNED_NAMES, id, slices_region_name(archive, region));
	if (region != ARCHIVE_NO_INDEX) {
		protobuf_put_number(&perfetto->item, LOCATION_IID, id);
		protobuf_put_text(&perfetto->item, LOCATION_FILE, archive->regions[region].file);
		protobuf_put_text(
		    &perfetto->item, LOCATION_FUNCTION, slices_region_name(archive, region));
		protobuf_put_number(
		    &perfetto->item, LOCATION_LINE, archive->regions[region].begin_line);
		protobuf_put_message(&perfetto->part, INTERNED_LOCATIONS, &perfetto->item);
	}
	protobuf_put_message(&perfetto->packet, PACKET_INTERNED_DATA, &perfetto->part);
}

static void write_event(
    struct export *export, struct perfetto *perfetto, uint32_t location, uint64_t time)
{
	protobuf_put_number(
	    &perfetto->event, TRACK_EVENT_TRACK_UUID, thread_track(export->archive, location));
	protobuf_put_number(
	    &perfetto->packet, PACKET_TIMESTAMP, export_nanoseconds(export, time - export->origin));
	protobuf_put_message(&perfetto->packet, PACKET_TRACK_EVENT, &perfetto->event);
	protobuf_put_number(&perfetto->packet, PACKET_SEQUENCE_FLAGS,
	    perfetto->started ? NEEDS_STATE : STATE_CLEARED | NEEDS_STATE);
	perfetto->started = true;
	write_packet(export, perfetto);
}

static void open_slice(struct export *export, uint32_t location, uint32_t region, uint64_t time)
{
	struct perfetto *perfetto = export->state;
	size_t index = region == ARCHIVE_NO_INDEX ? export->archive->region_count : region;

	if (!perfetto->known[index])
		intern_region(export, perfetto, region, index + 1);
	perfetto->known[index] = true;
	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_SLICE_BEGIN);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_CATEGORY_IIDS, CATEGORY);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_NAME_IID, index + 1);
	if (region != ARCHIVE_NO_INDEX)
		protobuf_put_number(&perfetto->event, TRACK_EVENT_SOURCE_LOCATION_IID, index + 1);
	write_event(export, perfetto, location, time);
}

static void close_slice(struct export *export, uint32_t location, uint64_t time)
{
	struct perfetto *perfetto = export->state;

	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_SLICE_END);
	write_event(export, perfetto, location, time);
}

static void end(struct export *export)
{
	struct perfetto *perfetto = export->state;

	protobuf_free(&perfetto->packet);
	protobuf_free(&perfetto->event);
	protobuf_free(&perfetto->part);
	protobuf_free(&perfetto->item);
	free(perfetto->known);
	free(perfetto);
}

const struct export_format export_perfetto = {
    .begin = begin, .open = open_slice, .close = close_slice, .end = end};
