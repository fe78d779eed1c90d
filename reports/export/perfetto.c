/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slices as a Perfetto trace: a stream of packets (perfetto/trace/trace.proto) with a track for
 * each process and thread, and two track events for each slice. Names and places are interned: each
 * region's is written once, with its first slice, so that an event takes about 20 bytes.
 *
 * A message is an instant on either side and a flow between the two. A flow between the slices of
 * the two calls would be wrong: it leads from the slice that begins earlier to the later one, and a
 * receive begins before the send that it waits for. Metrics are counters below their thread,
 * written when they change. Samples are as those of perf, with interned stacks.
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
	PACKET_PERF_SAMPLE = 66,
};
enum track_event_field {
	TRACK_EVENT_CATEGORY_IIDS = 3,
	TRACK_EVENT_ANNOTATIONS = 4,
	TRACK_EVENT_TYPE = 9,
	TRACK_EVENT_NAME_IID = 10,
	TRACK_EVENT_TRACK_UUID = 11,
	TRACK_EVENT_COUNTER_VALUE = 30,
	TRACK_EVENT_DOUBLE_COUNTER_VALUE = 44,
	TRACK_EVENT_SOURCE_LOCATION_IID = 34,
	TRACK_EVENT_FLOW_IDS = 47,
	TRACK_EVENT_TERMINATING_FLOW_IDS = 48,
};
enum event_type { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum annotation_field { ANNOTATION_NAME_IID = 1, ANNOTATION_UINT = 3 };
enum sequence_flag { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum interned_field {
	INTERNED_CATEGORIES = 1,
	INTERNED_NAMES = 2,
	INTERNED_ANNOTATIONS = 3,
	INTERNED_LOCATIONS = 4,
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_SOURCE_PATHS = 18,
	INTERNED_MAPPINGS = 19,
};
enum string_field { STRING_IID = 1, STRING_STR = 2 };
enum mapping_field { MAPPING_IID = 1, MAPPING_PATH_STRING_IDS = 7 };
enum frame_field {
	FRAME_IID = 1,
	FRAME_FUNCTION_NAME_ID = 2,
	FRAME_MAPPING_ID = 3,
	FRAME_REL_PC = 4,
	FRAME_SOURCE_PATH_IID = 5,
	FRAME_LINE_NUMBER = 6,
};
enum callstack_field { CALLSTACK_IID = 1, CALLSTACK_FRAME_IDS = 2 };
enum perf_sample_field { PERF_SAMPLE_PID = 2, PERF_SAMPLE_TID = 3, PERF_SAMPLE_CALLSTACK_IID = 4 };
enum named_field { NAMED_IID = 1, NAMED_NAME = 2 };
enum location_field {
	LOCATION_IID = 1,
	LOCATION_FILE = 2,
	LOCATION_FUNCTION = 3,
	LOCATION_LINE = 4
};
enum track_field {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8
};
enum counter_field { COUNTER_UNIT_NAME = 6 };
enum process_field { PROCESS_PID = 1, PROCESS_CMDLINE = 2, PROCESS_NAME = 6 };
enum thread_field { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

#define SEQUENCE 1

/* Ids of the only mapping, which stands for all code of the program, and of the frame of waits. */
#define MAPPING    1
#define WAIT_FRAME 1

enum category { CATEGORY_OPENMP = 1, CATEGORY_MPI };
enum annotation { ANNOTATION_PEER = 1, ANNOTATION_TAG, ANNOTATION_BYTES };

/* A thread's metric, with the value written last. */
struct counter {
	uint64_t value;
	bool known;
};

struct perfetto {
	struct protobuf packet, event, part, item; /* kept to reuse their memory */
	bool *known;                               /* by region; the last one is for "?" */
	bool started, interned, knows_messages;
	struct counter *counters; /* by location, metric */
	bool knows_mapping;
	bool *known_frames; /* by id */
	size_t frame_room;
	bool *known_stacks; /* by id */
	size_t stack_room;
};

/* Track ids and pids must not be 0, which is the idle process: rank 0 becomes 1. */
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

static uint64_t counter_track(const struct archive *archive, size_t counter)
{
	return archive->group_count + 2 + archive->location_count + counter;
}

/* It must differ from all other threads' and, except for the main thread, from pids. */
static uint64_t tid_of(const struct archive *archive, uint32_t location)
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
	protobuf_put_number(&perfetto->item, THREAD_TID, tid_of(archive, location));
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
	perfetto->counters = memory_new(
	    archive->location_count * archive->metric_count, sizeof(perfetto->counters[0]));
	for (uint32_t i = 0; i < archive->group_count; i++)
		write_process(export, perfetto, i);
	/* Locations without a group come last. */
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

/* For the first packet with interned data. */
static void intern_categories(struct perfetto *perfetto)
{
	if (perfetto->interned)
		return;
	intern_text(perfetto, INTERNED_CATEGORIES, CATEGORY_OPENMP, "openmp");
	intern_text(perfetto, INTERNED_CATEGORIES, CATEGORY_MPI, "mpi");
	perfetto->interned = true;
}

/* The packet of a region's first slice carries its name and place. */
static void intern_region(
    struct export *export, struct perfetto *perfetto, uint32_t region, uint64_t id)
{
	const struct archive *archive = export->archive;

	intern_categories(perfetto);
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

static void write_timed_packet(struct export *export, struct perfetto *perfetto)
{
	protobuf_put_number(&perfetto->packet, PACKET_SEQUENCE_FLAGS,
	    perfetto->started ? NEEDS_STATE : STATE_CLEARED | NEEDS_STATE);
	perfetto->started = true;
	write_packet(export, perfetto);
}

static void write_event(
    struct export *export, struct perfetto *perfetto, uint64_t track, uint64_t time)
{
	protobuf_put_number(&perfetto->event, TRACK_EVENT_TRACK_UUID, track);
	protobuf_put_number(
	    &perfetto->packet, PACKET_TIMESTAMP, export_nanoseconds(export, time - export->origin));
	protobuf_put_message(&perfetto->packet, PACKET_TRACK_EVENT, &perfetto->event);
	write_timed_packet(export, perfetto);
}

static void open_slice(struct export *export, uint32_t location, uint32_t region, uint64_t time)
{
	struct perfetto *perfetto = export->state;
	const struct archive *archive = export->archive;
	size_t index = region == ARCHIVE_NO_INDEX ? archive->region_count : region;
	bool is_mpi =
	    region != ARCHIVE_NO_INDEX && archive->regions[region].paradigm == OTF2_PARADIGM_MPI;

	if (!perfetto->known[index])
		intern_region(export, perfetto, region, index + 1);
	perfetto->known[index] = true;
	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_SLICE_BEGIN);
	protobuf_put_number(
	    &perfetto->event, TRACK_EVENT_CATEGORY_IIDS, is_mpi ? CATEGORY_MPI : CATEGORY_OPENMP);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_NAME_IID, index + 1);
	if (region != ARCHIVE_NO_INDEX)
		protobuf_put_number(&perfetto->event, TRACK_EVENT_SOURCE_LOCATION_IID, index + 1);
	write_event(export, perfetto, thread_track(export->archive, location), time);
}

static void close_slice(struct export *export, uint32_t location, uint64_t time)
{
	struct perfetto *perfetto = export->state;

	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_SLICE_END);
	write_event(export, perfetto, thread_track(export->archive, location), time);
}

static uint64_t message_name(const struct archive *archive, bool is_sent)
{
	return archive->region_count + (is_sent ? 2 : 3);
}

static void intern_messages(struct export *export, struct perfetto *perfetto)
{
	intern_categories(perfetto);
	intern_text(perfetto, INTERNED_NAMES, message_name(export->archive, true), "send");
	intern_text(perfetto, INTERNED_NAMES, message_name(export->archive, false), "receive");
	intern_text(perfetto, INTERNED_ANNOTATIONS, ANNOTATION_PEER, "rank");
	intern_text(perfetto, INTERNED_ANNOTATIONS, ANNOTATION_TAG, "tag");
	intern_text(perfetto, INTERNED_ANNOTATIONS, ANNOTATION_BYTES, "bytes");
	protobuf_put_message(&perfetto->packet, PACKET_INTERNED_DATA, &perfetto->part);
	perfetto->knows_messages = true;
}

static void annotate(struct perfetto *perfetto, enum annotation name, uint64_t value)
{
	protobuf_put_number(&perfetto->item, ANNOTATION_NAME_IID, name);
	protobuf_put_number(&perfetto->item, ANNOTATION_UINT, value);
	protobuf_put_message(&perfetto->event, TRACK_EVENT_ANNOTATIONS, &perfetto->item);
}

static void write_message(struct export *export, const struct export_message *message)
{
	struct perfetto *perfetto = export->state;
	uint64_t track = thread_track(export->archive, message->location);

	if (!perfetto->knows_messages)
		intern_messages(export, perfetto);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_INSTANT);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_CATEGORY_IIDS, CATEGORY_MPI);
	protobuf_put_number(&perfetto->event, TRACK_EVENT_NAME_IID,
	    message_name(export->archive, message->is_sent));
	annotate(perfetto, ANNOTATION_PEER, message->peer);
	annotate(perfetto, ANNOTATION_TAG, message->tag);
	annotate(perfetto, ANNOTATION_BYTES, message->bytes);
	protobuf_put_fixed(&perfetto->event,
	    message->is_sent ? TRACK_EVENT_FLOW_IDS : TRACK_EVENT_TERMINATING_FLOW_IDS,
	    message->number);
	write_event(export, perfetto, track, message->time);
}

static void add_counter(struct export *export, struct perfetto *perfetto, uint32_t location,
    uint64_t track, const struct archive_metric *metric)
{
	protobuf_put_number(&perfetto->part, TRACK_UUID, track);
	protobuf_put_number(&perfetto->part, TRACK_PARENT, thread_track(export->archive, location));
	protobuf_put_text(&perfetto->part, TRACK_NAME, metric->name);
	protobuf_put_text(&perfetto->item, COUNTER_UNIT_NAME, metric->unit);
	protobuf_put_message(&perfetto->part, TRACK_COUNTER, &perfetto->item);
	write_track(export, perfetto);
}

static void write_counter(
    struct export *export, uint32_t location, uint32_t metric, uint64_t time, uint64_t value)
{
	const struct archive *archive = export->archive;
	const struct archive_metric *definition = &archive->metrics[metric];
	struct perfetto *perfetto = export->state;
	size_t index = location * archive->metric_count + metric;
	struct counter *counter = &perfetto->counters[index];
	uint64_t scale = definition->scale ? definition->scale : 1;

	if (counter->known && counter->value == value)
		return;
	if (!counter->known)
		add_counter(export, perfetto, location, counter_track(archive, index), definition);
	*counter = (struct counter){value, true};
	protobuf_put_number(&perfetto->event, TRACK_EVENT_TYPE, TYPE_COUNTER);
	if (definition->is_double)
		protobuf_put_fixed(&perfetto->event, TRACK_EVENT_DOUBLE_COUNTER_VALUE, value);
	else
		protobuf_put_number(&perfetto->event, TRACK_EVENT_COUNTER_VALUE, value * scale);
	write_event(export, perfetto, counter_track(archive, index), time);
}

static void intern_string(
    struct perfetto *perfetto, enum interned_field field, uint64_t id, const char *text)
{
	protobuf_put_number(&perfetto->item, STRING_IID, id);
	protobuf_put_text(&perfetto->item, STRING_STR, text);
	protobuf_put_message(&perfetto->part, field, &perfetto->item);
}

/* A frame's strings have its id. Older readers demand that a frame has an address in a mapping. */
static void intern_frame(
    struct perfetto *perfetto, uint64_t id, const char *name, const struct sample_frame *frame)
{
	MEMORY_GROW(perfetto->known_frames, perfetto->frame_room, id + 1);
	if (perfetto->known_frames[id])
		return;
	perfetto->known_frames[id] = true;
	intern_string(perfetto, INTERNED_FUNCTION_NAMES, id, name);
	if (frame && frame->file[0])
		intern_string(perfetto, INTERNED_SOURCE_PATHS, id, frame->file);
	protobuf_put_number(&perfetto->item, FRAME_IID, id);
	protobuf_put_number(&perfetto->item, FRAME_FUNCTION_NAME_ID, id);
	protobuf_put_number(&perfetto->item, FRAME_MAPPING_ID, MAPPING);
	protobuf_put_number(&perfetto->item, FRAME_REL_PC, id);
	if (frame && frame->file[0])
		protobuf_put_number(&perfetto->item, FRAME_SOURCE_PATH_IID, id);
	if (frame && frame->line > 0)
		protobuf_put_number(&perfetto->item, FRAME_LINE_NUMBER, frame->line);
	protobuf_put_message(&perfetto->part, INTERNED_FRAMES, &perfetto->item);
}

static void intern_mapping(const struct export *export, struct perfetto *perfetto)
{
	const char *program = export->archive->program;

	if (perfetto->knows_mapping)
		return;
	perfetto->knows_mapping = true;
	intern_string(perfetto, INTERNED_MAPPING_PATHS, MAPPING, program ? program : "?");
	protobuf_put_number(&perfetto->item, MAPPING_IID, MAPPING);
	protobuf_put_number(&perfetto->item, MAPPING_PATH_STRING_IDS, MAPPING);
	protobuf_put_message(&perfetto->part, INTERNED_MAPPINGS, &perfetto->item);
}

static uint64_t frame_id(uint32_t frame)
{
	return (uint64_t)frame + WAIT_FRAME + 1;
}

static void put_frame_ids(const struct sample_stacks *stacks, struct protobuf *stack, uint32_t node)
{
	if (node == 0)
		return;
	put_frame_ids(stacks, stack, stacks->nodes[node].parent);
	protobuf_put_number(stack, CALLSTACK_FRAME_IDS, frame_id(stacks->nodes[node].frame));
}

/* The packet of a stack's first sample carries it, with the frames that are new. */
static void intern_stack(
    struct export *export, struct perfetto *perfetto, uint32_t node, bool waits, uint64_t id)
{
	const struct sample_stacks *stacks = export->stacks;

	MEMORY_GROW(perfetto->known_stacks, perfetto->stack_room, id + 1);
	if (perfetto->known_stacks[id])
		return;
	perfetto->known_stacks[id] = true;
	intern_mapping(export, perfetto);
	for (uint32_t at = node; at != 0; at = stacks->nodes[at].parent) {
		const struct sample_frame *frame = &stacks->frames[stacks->nodes[at].frame];

		intern_frame(perfetto, frame_id(stacks->nodes[at].frame),
		    sample_frame_name(stacks, frame), frame);
	}
	if (waits)
		intern_frame(perfetto, WAIT_FRAME, SAMPLE_WAIT_NAME, NULL);
	protobuf_put_number(&perfetto->item, CALLSTACK_IID, id);
	put_frame_ids(stacks, &perfetto->item, node);
	if (waits)
		protobuf_put_number(&perfetto->item, CALLSTACK_FRAME_IDS, WAIT_FRAME);
	protobuf_put_message(&perfetto->part, INTERNED_CALLSTACKS, &perfetto->item);
	protobuf_put_message(&perfetto->packet, PACKET_INTERNED_DATA, &perfetto->part);
}

static void write_sample(
    struct export *export, uint32_t location, uint32_t node, bool waits, uint64_t time)
{
	struct perfetto *perfetto = export->state;
	const struct archive *archive = export->archive;
	uint64_t id = 2 * (uint64_t)node + waits;

	intern_stack(export, perfetto, node, waits, id);
	protobuf_put_number(
	    &perfetto->event, PERF_SAMPLE_PID, pid_of(archive, archive->locations[location].group));
	protobuf_put_number(&perfetto->event, PERF_SAMPLE_TID, tid_of(archive, location));
	protobuf_put_number(&perfetto->event, PERF_SAMPLE_CALLSTACK_IID, id);
	protobuf_put_number(
	    &perfetto->packet, PACKET_TIMESTAMP, export_nanoseconds(export, time - export->origin));
	protobuf_put_message(&perfetto->packet, PACKET_PERF_SAMPLE, &perfetto->event);
	write_timed_packet(export, perfetto);
}

static void end(struct export *export)
{
	struct perfetto *perfetto = export->state;

	protobuf_free(&perfetto->packet);
	protobuf_free(&perfetto->event);
	protobuf_free(&perfetto->part);
	protobuf_free(&perfetto->item);
	free(perfetto->known);
	free(perfetto->counters);
	free(perfetto->known_frames);
	free(perfetto->known_stacks);
	free(perfetto);
}

const struct export_format export_perfetto = {
    .begin = begin,
    .open = open_slice,
    .close = close_slice,
    .message = write_message,
    .counter = write_counter,
    .sample = write_sample,
    .end = end,
};
