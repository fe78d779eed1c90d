/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport regions: every construct with all its figures, by potential gain. */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"
#include "source-lines.h"

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"name", NULL, CELL_TEXT, 0},
    {"sub_name", NULL, CELL_TEXT, 0},
    {"file", NULL, CELL_TEXT, 0},
    {"begin_line", NULL, CELL_COUNT, 0},
    {"end_line", NULL, CELL_COUNT, 0},
    {"function", NULL, CELL_TEXT, 0},
    {"known_by", NULL, CELL_TEXT, 0},
    {"visits", "calls", CELL_COUNT, 8},
    {"threads", "threads", CELL_COUNT, 1},
    {"time_ns", "time", CELL_TIME, 12},
    {"share", "share", CELL_SHARE, 7},
    {"self_ns", "self", CELL_TIME, 4},
    {"mean_ns", "mean", CELL_TIME, 5},
    {"body_min_ns", "min", CELL_TIME, 2},
    {"body_max_ns", "max", CELL_TIME, 3},
    {"imbalance_ns", "imbal", CELL_TIME, 9},
    {"barrier_wait_ns", "barrier", CELL_TIME, 10},
    {"enter_wait_ns", "entry", CELL_TIME, 6},
    {"gain_ns", "gain", CELL_TIME, 11},
    {"source", NULL, CELL_TEXT, 0},
};

static void put_region(
    struct table *table, const struct report *report, const struct summary_region *region)
{
	table_put_text(table, region->name);
	table_put_text(table, region->sub_name);
	table_put_text(table, region->file);
	table_put_number(table, (uint64_t)region->begin_line);
	table_put_number(table, (uint64_t)region->end_line);
	table_put_text(table, region->code != SUMMARY_INSTRUMENTED ? region->function : NULL);
	table_put_text(table, region->code != SUMMARY_INSTRUMENTED ? "code" : "instrumentation");
	table_put_number(table, region->visits);
	table_put_number(table, region->threads);
	table_put_number(table, region->time);
	table_put_ratio(table, summary_share(region->time, report->figures.chosen));
	table_put_number(table, region->self);
	table_put_number(table, region->visits ? region->time / region->visits : 0);
	table_put_number(table, region->body_min);
	table_put_number(table, region->body_max);
	table_put_number(table, region->imbalance);
	table_put_number(table, region->barrier_wait);
	table_put_number(table, region->enter_wait);
	table_put_number(table, summary_gain(region));
}

/* JSON and CSV have the line in a column; text has it below the table. */
static void put_source(struct table *table, const struct options *options, struct sources *sources,
    const struct summary_region *region, const char *name)
{
	const char *line =
	    options->source ? sources_line(sources, region->file, region->begin_line) : NULL;

	table_put_text(table, line);
	if (line && options->format == SUMMARY_TEXT)
		table_add_note(table, "%s: %s", name, line);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct summary *summary = &report->summary;
	struct sources sources = {0};
	bool marked = false;
	size_t *order = memory_new(summary->region_count, sizeof(order[0]));

	table_init(table, "regions", "REGIONS by potential gain (min max: work, per thread)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	summary_order_regions(summary, order);
	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[order[i]];
		char *name = report_region_name(region);

		if (report_takes_region(options, name)) {
			marked |= summary_marks_region(region) != 0;
			table_put_text(table, name);
			put_region(table, report, region);
			put_source(table, options, &sources, region, name);
		}
		free(name);
	}
	if (report->analysis->splits_teams)
		table_add_note(table,
		    "Imbalance is that of whole teams: `ompreport imbalance` compares the chosen "
		    "threads with the others.");
	if (marked && options->format == SUMMARY_TEXT)
		table_add_note(table, SUMMARY_MARK " %s", SUMMARY_MARK_NOTE);
	if (table_rows(table) == 0)
		table_add_note(table,
		    options->region ? "No region that was entered has '%s' in its name."
				    : "No region was entered and left.%s",
		    options->region ? options->region : "");
	if (options->source && sources.count > 0 && table_rows(table) > 0 &&
	    table->note_count == 0 && options->format == SUMMARY_TEXT)
		table_add_note(table, "None of the source files can be read here.");
	sources_free(&sources);
	free(order);
	return 0;
}

int command_regions(const struct options *options)
{
	return report_run(options, fill);
}
