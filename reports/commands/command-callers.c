/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport callers: the lines of Python that called parallel regions: the user's own, and the
 * innermost one of all.
 */
#include "commands.h"
#include "common/caller-rows.h"
#include "report.h"

static const struct table_column columns[] = {
    {"place", "file:line function", CELL_TEXT, 0},
    {"function", NULL, CELL_TEXT, 0},
    {"file", NULL, CELL_TEXT, 0},
    {"line", NULL, CELL_COUNT, 0},
    {"calls", "calls", CELL_COUNT, 5},
    {"time_ns", "time", CELL_TIME, 9},
    {"mean_ns", "mean", CELL_TIME, 2},
    {"share", "share", CELL_SHARE, 4},
    {"region", "region", CELL_TEXT, 8},
    {"inner_place", CALLER_WAY_TITLE, CELL_TEXT, 6},
    {"inner_function", NULL, CELL_TEXT, 0},
    {"inner_file", NULL, CELL_TEXT, 0},
    {"inner_line", NULL, CELL_COUNT, 0},
};

static void put_place(struct table *table, const char *file, int line, const char *function)
{
	char place[CALLER_REGION_SIZE];

	snprintf(place, sizeof(place), "%s:%d %s", summary_base_name(file), line, function);
	table_put_text(table, place);
}

static void put_row(struct table *table, const struct report *report,
    const struct summary_caller *caller, const struct options *options)
{
	char region[CALLER_REGION_SIZE];

	caller_region(region, sizeof(region), caller);
	if (!report_takes_region(options, region))
		return;
	put_place(table, caller->file, caller->line, caller->function);
	table_put_text(table, caller->function);
	table_put_text(table, caller->file);
	table_put_number(table, (uint64_t)caller->line);
	table_put_number(table, caller->calls);
	table_put_number(table, caller->time);
	table_put_number(table, summary_mean(caller->time, caller->calls));
	table_put_ratio(table, summary_share(caller->time, report->summary.wall));
	table_put_text(table, region);
	if (caller_is_called_by_way(caller))
		put_place(table, caller->inner_file, caller->inner_line, caller->inner_function);
	else
		table_put_text(table, "");
	table_put_text(table, caller->inner_function);
	table_put_text(table, caller->inner_file);
	table_put_number(table, (uint64_t)caller->inner_line);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct summary *summary = &report->summary;

	table_init(table, "callers",
	    "CALLED FROM PYTHON: lines that called parallel regions (share: of the wall time)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	table->left_out = caller_choose_columns(table->columns, table->column_count, summary);
	for (size_t i = 0; i < summary->caller_count; i++)
		put_row(table, report, &summary->callers[i], options);
	if (table_rows(table) > 0)
		return 0;
	table_add_note(table,
	    options->region && report->archive->caller_count > 0
		? "No line of Python called a region that --region names."
		: "The archive has no lines of Python that called regions: the program is not in "
		  "Python 3.11 to 3.13, took no samples (POMP_SAMPLING=off), or was killed.");
	return 0;
}

int command_callers(const struct options *options)
{
	return report_run(options, fill);
}
