/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport imbalance: constructs that the threads of a team share out, and how unevenly. Which
 * thread was the slowest is told over all executions; the imbalance itself is summed execution by
 * execution, so that threads which are slow in turns show as well.
 */
#include <stdlib.h>

#include "memory.h"
#include "report.h"

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"threads", "threads", CELL_COUNT, 1},
    {"body_min_ns", "min", CELL_TIME, 3},
    {"body_mean_ns", "avg", CELL_TIME, 5},
    {"body_max_ns", "max", CELL_TIME, 6},
    {"max_over_mean", "max/avg", CELL_FACTOR, 4},
    {"slowest", "slowest thread", CELL_TEXT, 2},
    {"imbalance_ns", "imbal", CELL_TIME, 8},
    {"share", "share", CELL_SHARE, 7},
};

/* The thread that spent most in the construct's body, of those with the greatest time the first. */
static const char *slowest_thread(
    const struct analysis *analysis, const struct options *options, uint32_t construct)
{
	const char *name = "?";
	uint64_t most = 0;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct visited *visited = analysis_visited(&analysis->threads[i], construct);

		if (visited && visited->body > most &&
		    report_takes_thread(options, analysis->archive, i)) {
			most = visited->body;
			name = analysis->archive->locations[i].label;
		}
	}
	return name;
}

static void put_construct(
    struct table *table, const struct report *report, const struct options *options, uint32_t index)
{
	const struct analysis *analysis = report->analysis;
	const struct construct *construct = &analysis->constructs[index];
	uint64_t mean = construct->body_sum / construct->threads;
	uint64_t imbalance = analysis_nanoseconds(analysis, construct->imbalance);

	table_put_number(table, construct->threads);
	table_put_number(table, analysis_nanoseconds(analysis, construct->body_min));
	table_put_number(table, analysis_nanoseconds(analysis, mean));
	table_put_number(table, analysis_nanoseconds(analysis, construct->body_max));
	table_put_ratio(table, mean ? (double)construct->body_max / (double)mean : -1);
	table_put_text(table, slowest_thread(analysis, options, index));
	table_put_number(table, imbalance);
	table_put_ratio(table, summary_share(imbalance, report->figures.capacity));
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;

	table_init(table, "imbalance",
	    "IMBALANCE (min avg max: body, by thread; imbal: what even work would save)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];
		char *name;

		if (!construct->has_imbalance || construct->threads == 0)
			continue;
		name = analysis_construct_name(construct);
		if (report_takes_region(options, name)) {
			table_put_text(table, name);
			put_construct(table, report, options, i);
		}
		free(name);
	}
	table_sort(table, "imbalance_ns");
	if (table_rows(table) == 0)
		table_add_note(table, "No construct that a team shares out was executed%s.",
		    options->region ? " of those that --region names" : "");
	return 0;
}

int command_imbalance(const struct options *options)
{
	return report_run(options, fill);
}
