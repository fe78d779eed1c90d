/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport score: which constructs make the trace large and its figures inaccurate, and its size
 * without them. --filter prints the proposal as a file for POMP_FILTERING_FILE, which Score-P
 * reads, too.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "memory.h"
#include "report.h"

/*
 * A construct is proposed for filtering if measuring takes more than this share of its time and it
 * causes at least this share of the events.
 */
#define COST_MAX    0.05
#define EVENTS_MIN  0.01
#define SHORT_VISIT 1000 /* ns: too short if the cost of an event is not known */

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"filter", "leave out", CELL_TEXT, 0},
    {"bytes", "bytes", CELL_COUNT, 2},
    {"events", "events", CELL_COUNT, 0},
    {"events_share", "events%", CELL_SHARE, 0},
    {"visits", "visits", CELL_COUNT, 1},
    {"time_ns", "time", CELL_TIME, 1},
    {"time_per_visit_ns", "time/visit", CELL_TIME, 1},
    {"cost_ns", "measuring", CELL_TIME, 1},
};

/* What the archive tells about the cost of events. */
struct rates {
	double bytes; /* of one event on disk */
	double cost;  /* ns for one event; negative: not known */
};

/* The size of the files with the locations' events; 0 if there are none. */
static uint64_t bytes_of_events(const struct archive *archive)
{
	size_t stem = strlen(archive->path) - strlen(".otf2");
	uint64_t bytes = 0;

	for (size_t i = 0; i < archive->location_count; i++) {
		char *path = memory_print("%.*s/%llu.evt", (int)stem, archive->path,
		    (unsigned long long)archive->locations[i].ref);
		struct stat status;

		if (stat(path, &status) == 0)
			bytes += (uint64_t)status.st_size;
		free(path);
	}
	return bytes;
}

static struct rates rates_of(const struct report *report)
{
	uint64_t events = report->archive->events;
	struct rates rates = {.cost = -1};

	if (events == 0)
		return rates;
	rates.bytes = (double)bytes_of_events(report->archive) / (double)events;
	if (report->summary.event_cost != SUMMARY_NOT_MEASURED)
		rates.cost = (double)report->summary.event_cost / (double)events;
	return rates;
}

/* Parallel regions identify teams, so they cannot be filtered. */
static bool is_to_leave_out(
    const struct report *report, const struct rates *rates, const struct construct *construct)
{
	double time = (double)analysis_nanoseconds(report->analysis, construct->time);

	if (construct->kind == CONSTRUCT_KIND_PARALLEL || construct->visits == 0 ||
	    (double)construct->events < EVENTS_MIN * (double)report->archive->events)
		return false;
	if (rates->cost < 0)
		return time / (double)construct->visits < SHORT_VISIT;
	return (double)construct->events * rates->cost > COST_MAX * time;
}

static void put_construct(struct table *table, const struct report *report,
    const struct rates *rates, const struct construct *construct, const char *name)
{
	uint64_t time = analysis_nanoseconds(report->analysis, construct->time);
	double events = (double)construct->events;

	table_put_text(table, name);
	table_put_text(table, is_to_leave_out(report, rates, construct) ? "yes" : "");
	table_put_number(table, (uint64_t)(events * rates->bytes + 0.5));
	table_put_number(table, construct->events);
	table_put_ratio(table, summary_share(construct->events, report->archive->events));
	table_put_number(table, construct->visits);
	table_put_number(table, time);
	table_put_number(table, summary_mean(time, construct->visits));
	table_put_number(
	    table, rates->cost < 0 ? SUMMARY_NOT_MEASURED : (uint64_t)(events * rates->cost + 0.5));
}

/* Adds the current size, and the size without `less` events. */
static void add_forecast(
    struct table *table, const struct report *report, const struct rates *rates, uint64_t less)
{
	uint64_t events = report->archive->events;

	table_add_number(table, "events", "events", CELL_COUNT, events);
	table_add_number(table, "bytes", "bytes of events", CELL_COUNT,
	    (uint64_t)((double)events * rates->bytes + 0.5));
	table_add_number(table, "cost_ns", "measuring took", CELL_TIME, report->summary.event_cost);
	table_add_number(table, "events_filtered", "events, filtered", CELL_COUNT, events - less);
	table_add_number(table, "bytes_filtered", "bytes, filtered", CELL_COUNT,
	    (uint64_t)((double)(events - less) * rates->bytes + 0.5));
	table_add_number(table, "cost_filtered_ns", "measuring, filtered", CELL_TIME,
	    rates->cost < 0 ? SUMMARY_NOT_MEASURED
			    : (uint64_t)((double)(events - less) * rates->cost + 0.5));
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	const struct rates rates = rates_of(report);
	uint64_t less = 0;

	table_init(table, "score", "CONSTRUCTS by events (measuring: what recording them took)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];
		char *name;

		if (construct->events == 0)
			continue;
		if (is_to_leave_out(report, &rates, construct))
			less += construct->events;
		name = analysis_construct_name(construct);
		if (report_takes_region(options, name))
			put_construct(table, report, &rates, construct, name);
		free(name);
	}
	add_forecast(table, report, &rates, less);
	table_sort(table, "events");
	if (less > 0)
		table_add_note(table, "ompreport score --filter prints the proposal as a file for "
				      "POMP_FILTERING_FILE.");
	else
		table_add_note(table, "No construct is too short for what measuring it costs.");
	return 0;
}

/* Prints a pattern that matches only this name; blanks end a rule. */
static void print_pattern(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (strchr(" \t*?[]\\#", *name))
			fputc('\\', out);
		fputc((unsigned char)*name < ' ' && *name != '\t' ? '?' : *name, out);
	}
}

static void print_filter(FILE *out, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	const struct rates rates = rates_of(report);

	fputs("SCOREP_REGION_NAMES_BEGIN\n", out);
	for (size_t i = 0; i < report->archive->region_count; i++) {
		struct region_part part = analysis->parts[i];
		const struct construct *construct;
		char *name;

		if (part.part != PART_WHOLE || part.construct == NO_CONSTRUCT)
			continue;
		construct = &analysis->constructs[part.construct];
		name = analysis_construct_name(construct);
		if (is_to_leave_out(report, &rates, construct) &&
		    report_takes_region(options, name)) {
			fputs("  EXCLUDE ", out);
			print_pattern(out, report->archive->regions[i].name);
			fputc('\n', out);
		}
		free(name);
	}
	fputs("SCOREP_REGION_NAMES_END\n", out);
}

int command_score(const struct options *options)
{
	struct report report;
	FILE *out = NULL;
	int status = 1;

	if (options->taker || !options->filter)
		return report_run(options, fill);
	if (report_read(&report, options->path, options) == 0)
		out = command_open_output(options->output);
	if (out) {
		print_filter(out, &report, options);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	report_finish(&report);
	return status;
}
