/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport info: what an archive holds, without any analysis of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "commands.h"
#include "memory.h"
#include "shared/summary-figures.h"
#include "table.h"

/* What is counted in the events. */
struct info {
	const struct archive *archive;
	uint64_t kinds[EVENT_KINDS];
	uint64_t first, last;
	uint64_t skipped;
	uint64_t messages, bytes, collectives; /* MPI's: sent, and ended by a member */
	size_t communicators;
};

static void count(void *context, const struct archive_event *event)
{
	struct info *info = context;

	info->kinds[event->kind]++;
	if (event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND) {
		info->messages++;
		info->bytes += event->mpi->bytes;
	}
	info->collectives +=
	    event->kind == EVENT_MPI_COLLECTIVE_END || event->kind == EVENT_MPI_COLLECTIVE_DONE;
	if (event->time < info->first)
		info->first = event->time;
	if (event->time > info->last)
		info->last = event->time;
}

/* The others are OpenMP's teams. */
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
	uint64_t ticks = info->last > info->first ? info->last - info->first : 0;

	return (uint64_t)((unsigned __int128)ticks * 1000000000 / info->archive->ticks_per_second);
}

/* When the clock's start was, as people write it; "" when the archive does not say. */
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
	fprintf(out, "%-14s ", label);
	summary_write_plain_text(out, value);
	fputc('\n', out);
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
		summary_write_plain_text(out, location->name);
		if (archive->group_count > 1 && location->group != ARCHIVE_NO_INDEX) {
			fputs(" of ", out);
			summary_write_plain_text(out, archive->groups[location->group].name);
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
		print_line(out, i ? "" : "arguments", archive->arguments[i]);
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
		print_count(out, "messages", info->messages);
		print_count(out, "bytes sent", info->bytes);
		print_count(out, "collectives", info->collectives);
	}
	print_count(out, "definitions", archive->definitions);
	print_count(out, "events", archive->events);
	print_locations(out, archive);
	fprintf(out, "\nEVENTS\n %12s  %s\n", "count", "kind");
	for (int i = 0; i < EVENT_KINDS; i++) {
		if (info->kinds[i])
			fprintf(out, " %12s  %s\n", summary_format_exact(text, info->kinds[i]),
			    archive_event_names[i]);
	}
	if (info->skipped)
		fprintf(out, " %12s  other kinds, skipped\n",
		    summary_format_exact(text, info->skipped));
	if (archive->metric_count)
		fputs("\nMETRICS\n", out);
	for (size_t i = 0; i < archive->metric_count; i++) {
		fputc(' ', out);
		summary_write_plain_text(out, archive->metrics[i].name);
		fputs(archive->metrics[i].unit[0] ? ", in " : "", out);
		summary_write_plain_text(out, archive->metrics[i].unit);
		fputc('\n', out);
	}
	if (archive->property_count)
		fputs("\nPROPERTIES\n", out);
	for (size_t i = 0; i < archive->property_count; i++) {
		fputc(' ', out);
		summary_write_plain_text(out, archive->properties[i].name);
		fputs(" = ", out);
		summary_write_plain_text(out, archive->properties[i].value);
		fputc('\n', out);
	}
}

static void print_json_text(FILE *out, const char *key, const char *value)
{
	fprintf(out, ",\n  \"%s\": ", key);
	if (!value) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	summary_write_json_text(out, value);
	fputc('"', out);
}

static void print_json_lists(FILE *out, const struct info *info)
{
	const struct archive *archive = info->archive;

	fputs(",\n  \"arguments\": [", out);
	for (size_t i = 0; i < archive->argument_count; i++) {
		fputs(i ? ", \"" : "\"", out);
		summary_write_json_text(out, archive->arguments[i]);
		fputc('"', out);
	}
	fputs("],\n  \"events_by_kind\": {", out);
	for (int i = 0, first = 1; i < EVENT_KINDS; i++) {
		if (!info->kinds[i])
			continue;
		fprintf(out, "%s\"%s\": %" PRIu64, first ? "" : ", ", archive_event_names[i],
		    info->kinds[i]);
		first = 0;
	}
	fputs("},\n  \"locations\": [", out);
	for (size_t i = 0; i < archive->location_count; i++) {
		const struct archive_location *location = &archive->locations[i];

		fprintf(out, "%s\n    {\"kind\": \"%s\", \"name\": \"", i ? "," : "",
		    kind_of(location));
		summary_write_json_text(out, location->name);
		fprintf(out,
		    "\", \"events\": %" PRIu64 ", \"skipped\": %" PRIu64 ", \"truncated\": %s}",
		    location->events_read, location->events_skipped,
		    location->truncated ? "true" : "false");
	}
	fputs("\n  ],\n  \"metrics\": [", out);
	for (size_t i = 0; i < archive->metric_count; i++) {
		fputs(i ? ", \"" : "\"", out);
		summary_write_json_text(out, archive->metrics[i].name);
		fputc('"', out);
	}
	fputs("],\n  \"properties\": {", out);
	for (size_t i = 0; i < archive->property_count; i++) {
		fputs(i ? ", \"" : "\"", out);
		summary_write_json_text(out, archive->properties[i].name);
		fputs("\": \"", out);
		summary_write_json_text(out, archive->properties[i].value);
		fputc('"', out);
	}
	fputs("}", out);
}

static void print_json(FILE *out, const struct info *info)
{
	const struct archive *archive = info->archive;
	char text[64];

	fputs("{\n  \"format\": \"ompinst-info\", \"version\": 1", out);
	print_json_text(out, "archive", archive->path);
	print_json_text(out, "program", archive->program);
	print_json_text(out, "creator", archive->creator);
	print_json_text(out, "machine", archive->machine);
	print_json_text(out, "description", archive->description);
	print_json_text(out, "started", start_of(archive, text, sizeof(text)));
	fprintf(out, ",\n  \"span_ns\": %" PRIu64 ", \"ticks_per_second\": %" PRIu64, span_of(info),
	    archive->ticks_per_second);
	fprintf(out,
	    ",\n  \"processes\": %zu, \"lost_ranks\": %" PRIu32
	    ", \"regions\": %zu, \"teams\": %zu",
	    archive->group_count - archive->lost_ranks, archive->lost_ranks, archive->region_count,
	    archive->comm_count - info->communicators);
	fprintf(out,
	    ",\n  \"communicators\": %zu, \"messages\": %" PRIu64 ", \"bytes_sent\": %" PRIu64
	    ", \"collectives\": %" PRIu64,
	    info->communicators, info->messages, info->bytes, info->collectives);
	fprintf(out,
	    ",\n  \"definitions\": %" PRIu64 ", \"events\": %" PRIu64 ", \"skipped\": %" PRIu64,
	    archive->definitions, archive->events, info->skipped);
	print_json_lists(out, info);
	fputs("\n}\n", out);
}

/* A row for each location. */
static void print_csv(FILE *out, const struct info *info)
{
	const struct archive *archive = info->archive;

	fputs("number,name,process,kind,events,skipped,truncated\n", out);
	for (size_t i = 0; i < archive->location_count; i++) {
		const struct archive_location *location = &archive->locations[i];

		fprintf(out, "%zu,", i);
		summary_write_csv_text(out, location->name);
		fputc(',', out);
		summary_write_csv_text(out, location->group == ARCHIVE_NO_INDEX
						? ""
						: archive->groups[location->group].name);
		fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%s\n", kind_of(location),
		    location->events_read, location->events_skipped,
		    location->truncated ? "yes" : "no");
	}
}

static void (*const printers[])(FILE *out, const struct info *info) = {
    [SUMMARY_TEXT] = print_text,
    [SUMMARY_JSON] = print_json,
    [SUMMARY_CSV] = print_csv,
};

int command_info(const struct options *options)
{
	struct archive *archive = command_open(options->path);
	struct info info = {.archive = archive, .first = UINT64_MAX};
	int status = 1;
	FILE *out;

	if (!archive)
		return 1;
	info.communicators = count_communicators(archive);
	archive_for_each_event(archive, count, &info);
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
