/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport imbalance: constructs whose work the threads of a team share, and how unevenly, by the
 * work in their bodies: a thread that waits there is not slow. The thread with the most work is
 * that of all executions together; the imbalance itself is summed execution by execution, so that
 * threads which are slow in turns show as well. Of an explicit barrier it is the work since the
 * barrier before.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"threads", "threads", CELL_COUNT, 1},
    {"body_min_ns", "min", CELL_TIME, 3},
    {"body_mean_ns", "avg", CELL_TIME, 5},
    {"body_max_ns", "max", CELL_TIME, 6},
    {"max_over_mean", "max/avg", CELL_FACTOR, 4},
    {"slowest", "most work in", CELL_TEXT, 2},
    {"last", NULL, CELL_TEXT, 0},
    {"last_count", NULL, CELL_COUNT, 0},
    {"barriers", NULL, CELL_COUNT, 0},
    {"came_last", "came last", CELL_TEXT, 9},
    {"imbalance_ns", "imbal", CELL_TIME, 8},
    {"share", "share", CELL_SHARE, 7},
};

/*
 * The thread that had most work in the construct's body, of those with the greatest time the first.
 */
static const char *slowest_thread(
    const struct analysis *analysis, const struct options *options, uint32_t construct)
{
	const char *name = "?";
	uint64_t most = 0;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct visited *visited = analysis_visited(&analysis->threads[i], construct);

		if (visited && visited->work > most &&
		    report_takes_thread(options, analysis->archive, i)) {
			most = visited->work;
			name = analysis->archive->locations[i].label;
		}
	}
	return name;
}

/* Which thread arrived last at its barriers, for machines and for people. */
static void put_last(struct table *table, const struct analysis *analysis, uint32_t index)
{
	const struct construct *construct = &analysis->constructs[index];
	uint64_t count;
	uint32_t last = analysis_last_to_arrive(analysis, index, &count);
	char *text = NULL;

	if (last != ARCHIVE_NO_INDEX)
		text = memory_print("%s at %llu of %llu", analysis->archive->locations[last].label,
		    (unsigned long long)count, (unsigned long long)construct->barriers_completed);
	table_put_text(table, text ? analysis->archive->locations[last].label : "");
	table_put_number(table, text ? count : SUMMARY_NOT_MEASURED);
	table_put_number(table, text ? construct->barriers_completed : SUMMARY_NOT_MEASURED);
	table_put_text(table, text ? text : "");
	free(text);
}

static void put_construct(
    struct table *table, const struct report *report, const struct options *options, uint32_t index)
{
	const struct analysis *analysis = report->analysis;
	const struct construct *construct = &analysis->constructs[index];
	bool has_body = construct->has_body && construct->threads > 0;
	uint64_t mean = has_body ? construct->body_sum / construct->threads : 0, imbalance;
	const uint64_t body[] = {construct->body_min, mean, construct->body_max};

	analysis_imbalance(construct, &imbalance);
	imbalance = analysis_nanoseconds(analysis, imbalance);
	table_put_number(table, construct->threads);
	for (int i = 0; i < 3; i++)
		table_put_number(table,
		    has_body ? analysis_nanoseconds(analysis, body[i]) : SUMMARY_NOT_MEASURED);
	table_put_ratio(table, mean ? (double)construct->body_max / (double)mean : -1);
	table_put_text(table, has_body ? slowest_thread(analysis, options, index) : "");
	put_last(table, analysis, index);
	table_put_number(table, imbalance);
	table_put_ratio(table, summary_share(imbalance, report->figures.capacity));
}

/* The worst construct whose barriers mostly wait for one and the same thread. */
static void add_sentence(
    struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	uint64_t most = 0, count, imbalance;
	uint32_t worst = NO_CONSTRUCT;
	char *name;

	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];

		if (!analysis_imbalance(construct, &imbalance) || imbalance <= most)
			continue;
		analysis_last_to_arrive(analysis, i, &count);
		name = analysis_construct_name(construct);
		if (count > construct->barriers_completed / 2 &&
		    report_takes_region(options, name)) {
			most = imbalance;
			worst = i;
		}
		free(name);
	}
	if (worst == NO_CONSTRUCT)
		return;
	name = analysis_construct_name(&analysis->constructs[worst]);
	table_add_note(table, "%s: %s came last at %llu of %llu barriers.", name,
	    analysis->archive->locations[analysis_last_to_arrive(analysis, worst, &count)].label,
	    (unsigned long long)count,
	    (unsigned long long)analysis->constructs[worst].barriers_completed);
	free(name);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;

	table_init(table, "imbalance",
	    "IMBALANCE (min avg max: work in the body; imbal: what even work would save)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];
		uint64_t imbalance;
		char *name;

		if (!analysis_imbalance(construct, &imbalance))
			continue;
		name = analysis_construct_name(construct);
		if (report_takes_region(options, name)) {
			table_put_text(table, name);
			put_construct(table, report, options, i);
		}
		free(name);
	}
	table_sort(table, "imbalance_ns");
	add_sentence(table, report, options);
	if (table_rows(table) == 0)
		table_add_note(table, "No construct whose work a team shares was executed%s.",
		    options->region ? " of those that --region names" : "");
	return 0;
}

int command_imbalance(const struct options *options)
{
	return report_run(options, fill);
}
