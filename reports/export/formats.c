/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slices as Chrome's trace event JSON (chrome://tracing, Perfetto's UI, speedscope) and as CSV. In
 * JSON times are microseconds with three decimals, which is exact.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

static uint32_t process_of(const struct archive *archive, uint32_t location)
{
	uint32_t group = archive->locations[location].group;

	return group == ARCHIVE_NO_INDEX ? 0 : group;
}

static void name_chrome_track(
    struct export *export, const char *what, uint32_t process, uint32_t thread, const char *name)
{
	struct json_writer *json = &export->json;

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ph", "M");
	json_put_number(json, "pid", process);
	json_put_number(json, "tid", thread);
	json_put_text(json, "name", what);
	json_open_object(json, "args");
	json_put_text(json, "name", name);
	json_close_object(json);
	json_close_object(json);
}

static void begin_chrome(struct export *export)
{
	const struct archive *archive = export->archive;

	json_start(&export->json, export->out, 0);
	json_open_object(&export->json, NULL);
	json_put_text(&export->json, "displayTimeUnit", "ns");
	json_open_array(&export->json, "traceEvents");
	for (uint32_t i = 0; i < archive->location_count; i++)
		name_chrome_track(
		    export, "thread_name", process_of(archive, i), i, archive->locations[i].name);
	for (uint32_t i = 0; i < archive->group_count; i++) {
		char *name = archive_process_name(archive, i);

		name_chrome_track(export, "process_name", i, 0, name);
		free(name);
	}
}

/* In microseconds. */
static void put_time(struct json_writer *json, const char *key, uint64_t nanoseconds)
{
	json_put_scaled(json, key, nanoseconds, 3);
}

static void slice_chrome(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
    uint64_t end, size_t depth)
{
	uint64_t from = export_nanoseconds(export, begin - export->origin);
	uint64_t to = export_nanoseconds(export, end - export->origin);
	struct json_writer *json = &export->json;

	(void)depth;
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ph", "X");
	json_put_number(json, "pid", process_of(export->archive, location));
	json_put_number(json, "tid", location);
	put_time(json, "ts", from);
	put_time(json, "dur", to - from);
	json_put_text(json, "name", slices_region_name(export->archive, region));
	json_close_object(json);
}

/* A flow: an arrow between the slices around its two ends. */
static void message_chrome(struct export *export, const struct export_message *message)
{
	struct json_writer *json = &export->json;
	char number[24];

	snprintf(number, sizeof(number), "0x%" PRIx64, message->number);
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ph", message->is_sent ? "s" : "f");
	if (!message->is_sent)
		json_put_text(json, "bp", "e");
	json_put_text(json, "cat", "mpi");
	json_put_text(json, "name", "message");
	json_put_text(json, "id", number);
	json_put_number(json, "pid", process_of(export->archive, message->location));
	json_put_number(json, "tid", message->location);
	put_time(json, "ts", export_nanoseconds(export, message->time - export->origin));
	json_open_object(json, "args");
	json_put_number(json, message->is_sent ? "to" : "from", message->peer);
	json_put_number(json, "tag", message->tag);
	json_put_number(json, "bytes", message->bytes);
	json_close_object(json);
	json_close_object(json);
}

/* Its stack is in the dictionary at the end. */
static void sample_chrome(
    struct export *export, uint32_t location, uint32_t node, bool waits, uint64_t time)
{
	struct json_writer *json = &export->json;

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ph", "P");
	json_put_number(json, "pid", process_of(export->archive, location));
	json_put_number(json, "tid", location);
	put_time(json, "ts", export_nanoseconds(export, time - export->origin));
	json_put_text(json, "name", waits ? "waiting" : "sample");
	json_put_number(json, "sf", node);
	json_close_object(json);
}

static void put_stack_frames(struct export *export)
{
	const struct sample_stacks *stacks = export->stacks;
	struct json_writer *json = &export->json;
	char key[24];

	json_open_object(json, "stackFrames");
	for (size_t i = 1; i < stacks->node_count; i++) {
		const struct sample_frame *frame = &stacks->frames[stacks->nodes[i].frame];

		snprintf(key, sizeof(key), "%zu", i);
		json_begin_line(json);
		json_open_object(json, key);
		json_put_text(
		    json, "category", frame->kind == SAMPLE_FRAME_REGION ? "region" : "function");
		json_put_text(json, "name", sample_frame_name(stacks, frame));
		if (stacks->nodes[i].parent != 0)
			json_put_number(json, "parent", stacks->nodes[i].parent);
		json_close_object(json);
	}
	json_close_object(json);
}

static void end_chrome(struct export *export)
{
	json_close_array(&export->json);
	if (export->stacks->node_count > 1)
		put_stack_frames(export);
	json_close_object(&export->json);
	json_finish(&export->json);
}

const struct export_format export_chrome = {.begin = begin_chrome,
    .slice = slice_chrome,
    .message = message_chrome,
    .sample = sample_chrome,
    .end = end_chrome};

static void begin_csv(struct export *export)
{
	static const char *const titles[] = {
	    "number", "thread", "depth", "region", "file", "line", "begin_ns", "end_ns"};

	csv_start(&export->csv, export->out);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		csv_put_text(&export->csv, titles[i]);
	csv_end_row(&export->csv);
}

static void slice_csv(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
    uint64_t end, size_t depth)
{
	const struct archive *archive = export->archive;
	bool known = region != ARCHIVE_NO_INDEX;
	struct csv_writer *csv = &export->csv;

	csv_put_number(csv, location);
	csv_put_text(csv, archive->locations[location].name);
	csv_put_number(csv, depth);
	csv_put_text(csv, slices_region_name(archive, region));
	csv_put_text(csv, known ? archive->regions[region].file : NULL);
	csv_put_number(csv, known ? archive->regions[region].begin_line : 0);
	csv_put_number(csv, export_nanoseconds(export, begin - export->origin));
	csv_put_number(csv, export_nanoseconds(export, end - export->origin));
	csv_end_row(csv);
}

const struct export_format export_csv = {.begin = begin_csv, .slice = slice_csv};
