/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slices as Chrome's trace event JSON (chrome://tracing, Perfetto's UI, speedscope) and as CSV. In
 * JSON times are microseconds with three decimals, which is exact.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "shared/summary-figures.h"
#include "table.h"

static uint32_t process_of(const struct archive *archive, uint32_t location)
{
	uint32_t group = archive->locations[location].group;

	return group == ARCHIVE_NO_INDEX ? 0 : group;
}

static void name_chrome_track(struct export *export, const char *what, uint32_t process,
    uint32_t thread, const char *name, const char *separator)
{
	fprintf(export->out,
	    "%s\n{\"ph\": \"M\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32
	    ", \"name\": \"%s\", \"args\": {\"name\": \"",
	    separator, process, thread, what);
	summary_write_json_text(export->out, name);
	fputs("\"}}", export->out);
}

static void begin_chrome(struct export *export)
{
	const struct archive *archive = export->archive;

	fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", export->out);
	for (uint32_t i = 0; i < archive->location_count; i++)
		name_chrome_track(export, "thread_name", process_of(archive, i), i,
		    archive->locations[i].name, i ? "," : "");
	for (uint32_t i = 0; i < archive->group_count; i++) {
		char *name = archive_process_name(archive, i);

		name_chrome_track(export, "process_name", i, 0, name, ",");
		free(name);
	}
}

static void slice_chrome(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
    uint64_t end, size_t depth)
{
	uint64_t from = export_nanoseconds(export, begin - export->origin);
	uint64_t length = export_nanoseconds(export, end - export->origin) - from;

	(void)depth;
	fprintf(export->out,
	    ",\n{\"ph\": \"X\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"ts\": %" PRIu64
	    ".%03u, \"dur\": %" PRIu64 ".%03u, \"name\": \"",
	    process_of(export->archive, location), location, from / 1000, (unsigned)(from % 1000),
	    length / 1000, (unsigned)(length % 1000));
	summary_write_json_text(export->out, slices_region_name(export->archive, region));
	fputs("\"}", export->out);
}

/* A flow: an arrow between the slices that are around its two ends. */
static void message_chrome(struct export *export, const struct export_message *message)
{
	uint64_t time = export_nanoseconds(export, message->time - export->origin);

	fprintf(export->out,
	    ",\n{\"ph\": \"%s\", \"cat\": \"mpi\", \"name\": \"message\", \"id\": \"0x%" PRIx64
	    "\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"ts\": %" PRIu64
	    ".%03u, \"args\": {\"%s\": %" PRIu32 ", \"tag\": %" PRIu32 ", \"bytes\": %" PRIu64 "}}",
	    message->is_sent ? "s" : "f\", \"bp\": \"e", message->number,
	    process_of(export->archive, message->location), message->location, time / 1000,
	    (unsigned)(time % 1000), message->is_sent ? "to" : "from", message->peer, message->tag,
	    message->bytes);
}

static void end_chrome(struct export *export)
{
	fputs("\n]}\n", export->out);
}

const struct export_format export_chrome = {
    .begin = begin_chrome, .slice = slice_chrome, .message = message_chrome, .end = end_chrome};

static void begin_csv(struct export *export)
{
	fputs("number,thread,depth,region,file,line,begin_ns,end_ns\n", export->out);
}

static void slice_csv(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
    uint64_t end, size_t depth)
{
	const struct archive *archive = export->archive;
	bool known = region != ARCHIVE_NO_INDEX;

	fprintf(export->out, "%" PRIu32 ",", location);
	summary_write_csv_text(export->out, archive->locations[location].name);
	fprintf(export->out, ",%zu,", depth);
	summary_write_csv_text(export->out, slices_region_name(archive, region));
	fputc(',', export->out);
	summary_write_csv_text(export->out, known ? archive->regions[region].file : "");
	fprintf(export->out, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n",
	    known ? archive->regions[region].begin_line : 0,
	    export_nanoseconds(export, begin - export->origin),
	    export_nanoseconds(export, end - export->origin));
}

const struct export_format export_csv = {.begin = begin_csv, .slice = slice_csv};
