/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport info: what an archive contains, without analysing it. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "commands.h"
#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "common/summary-figures.h"
#include "common/terminal-text.h"
#include "event-counts.h"
#include "memory.h"
#include "table.h"

enum { JSON_INDENT = 2, LABEL_WIDTH = 15 };

/* Counts over all events. */
struct info {
	const struct archive *archive;
	struct event_counts events;
	uint64_t skipped;
	size_t communicators;
};

/* Counts the communicators of MPI: the other comms are OpenMP's teams. */
static size_t count_communicators(const struct archive *archive)
{
	size_t count = 0;

	for (size_t i = 0; i < archive->comm_count; i++) {
		const struct archive_comm *comm = &archive->comms[i];

		count += comm->is_inter ||
			 (comm->members != ARCHIVE_NO_INDEX &&
			     archive->lists[comm->members].paradigm == OTF2_PARADIGM_MPI);
	}
	return count;
}

static uint64_t span_of(const struct info *info)
{
	uint64_t ticks =
	    info->events.last > info->events.first ? info->events.last - info->events.first : 0;

	return (uint64_t)((unsigned __int128)ticks * 1000000000 / info->archive->ticks_per_second);
}

/* The date and time of the clock's start; "" if the archive does not contain it. */
static const char *start_of(const struct archive *archive, char *buffer, size_t size)
{
	time_t seconds = (time_t)(archive->realtime / 1000000000);
	struct tm moment;

	buffer[0] = '\0';
	if (archive->realtime && gmtime_r(&seconds, &moment))
		strftime(buffer, size, "%Y-%m-%d %H:%M:%S UTC", &moment);
	return buffer;
}

static void print_line(FILE *out, const char *label, const char *value)
{
	if (!value || !value[0])
		return;
	text_print_fact(out, label, LABEL_WIDTH, value);
}

static void print_count(FILE *out, const char *label, uint64_t value)
{
	char text[SUMMARY_FIGURE_SIZE];

	print_line(out, label, summary_format_exact(text, value));
}

static const char *kind_of(const struct archive_location *location)
{
	switch (location->type) {
	case OTF2_LOCATION_TYPE_CPU_THREAD:
		return "thread";
	case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
		return "stream";
	case OTF2_LOCATION_TYPE_METRIC:
		return "metric";
	default:
		return "other";
	}
}

static void print_locations(FILE *out, const struct archive *archive)
{
	fprintf(out, "\nLOCATIONS\n %12s  %-6s  %s\n", "events", "kind", "name");
	for (size_t i = 0; i < archive->location_count; i++) {
		const struct archive_location *location = &archive->locations[i];
		char text[SUMMARY_FIGURE_SIZE];

		fprintf(out, " %12s  %-6s  ", summary_format_exact(text, location->events_read),
		    kind_of(location));
		text_print_plain(out, location->name);
		if (archive->group_count > 1 && location->group != ARCHIVE_NO_INDEX) {
			fputs(" of ", out);
			text_print_plain(out, archive->groups[location->group].name);
		}
		fputs(location->truncated ? " (truncated)\n" : "\n", out);
	}
}

static void print_text(FILE *out, const struct info *info)
{
	const struct archive *archive = info->archive;
	char text[64];

	print_line(out, "archive", archive->path);
	print_line(out, "program", archive->program);
	for (size_t i = 0; i < archive->argument_count; i++)
		print_line(out, i ? "" : "arguments",
		    archive->arguments[i][0] != '\0' ? archive->arguments[i] : "''");
	print_line(out, "written by", archive->creator);
	print_line(out, "machine", archive->machine);
	print_line(out, "description", archive->description);
	print_line(out, "started", start_of(archive, text, sizeof(text)));
	print_line(out, "time span", summary_format_time(text, span_of(info)));
	snprintf(text, sizeof(text), "%" PRIu64 " ticks per second", archive->ticks_per_second);
	print_line(out, "clock", text);
	print_count(out, "processes", archive->group_count - archive->lost_ranks);
	if (archive->lost_ranks > 0)
		print_count(out, "ranks lost", archive->lost_ranks);
	print_count(out, "locations", archive->location_count);
	print_count(out, "regions", archive->region_count);
	print_count(out, "teams", archive->comm_count - info->communicators);
	if (info->communicators > 0) {
		print_count(out, "communicators", info->communicators);
		print_count(out, "messages", info->events.messages);
		print_count(out, "bytes sent", info->events.bytes);
		print_count(out, "collectives", info->events.collectives);
	}
	print_count(out, "definitions", archive->definitions);
	print_count(out, "events", archive->events);
	print_locations(out, archive);
	fprintf(out, "\nEVENTS\n %12s  %s\n", "count", "kind");
	for (int i = 0; i < EVENT_KINDS; i++) {
		if (info->events.kinds[i])
			fprintf(out, " %12s  %s\n",
			    summary_format_exact(text, info->events.kinds[i]),
			    archive_event_names[i]);
	}
	if (info->skipped)
		fprintf(out, " %12s  other kinds, skipped\n",
		    summary_format_exact(text, info->skipped));
	if (archive->metric_count)
		fputs("\nMETRICS\n", out);
	for (size_t i = 0; i < archive->metric_count; i++) {
		fputc(' ', out);
		text_print_plain(out, archive->metrics[i].name);
		fputs(archive->metrics[i].unit[0] ? ", in " : "", out);
		text_print_plain(out, archive->metrics[i].unit);
		fputc('\n', out);
	}
	if (archive->property_count)
		fputs("\nPROPERTIES\n", out);
	for (size_t i = 0; i < archive->property_count; i++) {
		fputc(' ', out);
		text_print_plain(out, archive->properties[i].name);
		fputs(" = ", out);
		text_print_plain(out, archive->properties[i].value);
		fputc('\n', out);
	}
}

static void put_locations(struct json_writer *json, const struct archive *archive)
{
	json_begin_line(json);
	json_open_array(json, "locations");
	for (size_t i = 0; i < archive->location_count; i++) {
		const struct archive_location *location = &archive->locations[i];

		json_begin_line(json);
		json_open_object(json, NULL);
		json_put_text(json, "kind", kind_of(location));
		json_put_text(json, "name", location->name);
		json_put_number(json, "events", location->events_read);
		json_put_number(json, "skipped", location->events_skipped);
		json_put_boolean(json, "truncated", location->truncated);
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_lists(struct json_writer *json, const struct info *info)
{
	const struct archive *archive = info->archive;

	json_begin_line(json);
	json_open_array(json, "arguments");
	for (size_t i = 0; i < archive->argument_count; i++)
		json_put_text(json, NULL, archive->arguments[i]);
	json_close_array(json);
	json_begin_line(json);
	json_open_object(json, "events_by_kind");
	for (int i = 0; i < EVENT_KINDS; i++) {
		if (info->events.kinds[i])
			json_put_number(json, archive_event_names[i], info->events.kinds[i]);
	}
	json_close_object(json);
	put_locations(json, archive);
	json_begin_line(json);
	json_open_array(json, "metrics");
	for (size_t i = 0; i < archive->metric_count; i++)
		json_put_text(json, NULL, archive->metrics[i].name);
	json_close_array(json);
	json_begin_line(json);
	json_open_object(json, "properties");
	for (size_t i = 0; i < archive->property_count; i++)
		json_put_text(json, archive->properties[i].name, archive->properties[i].value);
	json_close_object(json);
}

static void put_texts(struct json_writer *json, const struct archive *archive)
{
	char start[64];
	const struct {
		const char *key, *text;
	} texts[] = {
	    {"archive", archive->path},
	    {"program", archive->program},
	    {"creator", archive->creator},
	    {"machine", archive->machine},
	    {"description", archive->description},
	    {"started", start_of(archive, start, sizeof(start))},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_begin_line(json);
		json_put_text(json, texts[i].key, texts[i].text);
	}
	json_put_number(json, "started_ns", archive->realtime);
}

static void print_json(FILE *out, const struct info *info)
{
	const struct archive *archive = info->archive;
	struct json_writer json;

	json_start(&json, out, JSON_INDENT);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", "ompinst-info");
	json_put_number(&json, "version", 1);
	put_texts(&json, archive);
	json_begin_line(&json);
	json_put_number(&json, "span_ns", span_of(info));
	json_put_number(&json, "ticks_per_second", archive->ticks_per_second);
	json_begin_line(&json);
	json_put_number(&json, "processes", archive->group_count - archive->lost_ranks);
	json_put_number(&json, "lost_ranks", archive->lost_ranks);
	json_put_number(&json, "regions", archive->region_count);
	json_put_number(&json, "teams", archive->comm_count - info->communicators);
	json_begin_line(&json);
	json_put_number(&json, "communicators", info->communicators);
	json_put_number(&json, "messages", info->events.messages);
	json_put_number(&json, "bytes_sent", info->events.bytes);
	json_put_number(&json, "collectives", info->events.collectives);
	json_begin_line(&json);
	json_put_number(&json, "definitions", archive->definitions);
	json_put_number(&json, "events", archive->events);
	json_put_number(&json, "skipped", info->skipped);
	put_lists(&json, info);
	json_close_object(&json);
	json_finish(&json);
}

/* A row for each location. */
static void print_csv(FILE *out, const struct info *info)
{
	static const char *const titles[] = {
	    "number", "name", "process", "kind", "events", "skipped", "truncated"};
	const struct archive *archive = info->archive;
	struct csv_writer csv;

	csv_start(&csv, out);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		csv_put_text(&csv, titles[i]);
	csv_end_row(&csv);
	for (size_t i = 0; i < archive->location_count; i++) {
		const struct archive_location *location = &archive->locations[i];

		csv_put_number(&csv, i);
		csv_put_text(&csv, location->name);
		csv_put_text(&csv, location->group == ARCHIVE_NO_INDEX
				       ? NULL
				       : archive->groups[location->group].name);
		csv_put_text(&csv, kind_of(location));
		csv_put_number(&csv, location->events_read);
		csv_put_number(&csv, location->events_skipped);
		csv_put_text(&csv, location->truncated ? "yes" : "no");
		csv_end_row(&csv);
	}
}

static void (*const printers[])(FILE *out, const struct info *info) = {
    [SUMMARY_TEXT] = print_text,
    [SUMMARY_JSON] = print_json,
    [SUMMARY_CSV] = print_csv,
};

int command_info(const struct options *options)
{
	struct archive *archive = command_open(options->path, options);
	struct info info = {.archive = archive};
	int status = 1;
	FILE *out;

	if (!archive)
		return 1;
	info.communicators = count_communicators(archive);
	event_counts_read(&info.events, archive);
	for (size_t i = 0; i < archive->location_count; i++)
		info.skipped += archive->locations[i].events_skipped;
	command_print_warnings(options->path, archive);
	out = command_open_output(options->output);
	if (out) {
		printers[options->format](out, &info);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	archive_close(archive);
	return status;
}
