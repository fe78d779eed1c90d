/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport tasks: whether tasks are large enough to be worth their creation. A task's time
 * excludes the time during which it is suspended.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"

static const struct table_column columns[] = {
    {"task", "file:line task", CELL_TEXT, 0},
    {"file", NULL, CELL_TEXT, 0},
    {"begin_line", NULL, CELL_COUNT, 0},
    {"created", "created", CELL_COUNT, 7},
    {"executed", "executed", CELL_COUNT, 4},
    {"undeferred", "undeferred", CELL_COUNT, 1},
    {"create_ns", "creating", CELL_TIME, 5},
    {"execute_ns", "executing", CELL_TIME, 9},
    {"mean_create_ns", "mean", CELL_TIME, 3},
    {"min_ns", "min", CELL_TIME, 2},
    {"mean_execute_ns", "avg", CELL_TIME, 8},
    {"max_ns", "max", CELL_TIME, 6},
    {"grain", "grain", CELL_FACTOR, 10},
};

static void put_task(
    struct table *table, const struct analysis *analysis, const struct construct *construct)
{
	uint64_t create = analysis_nanoseconds(analysis, construct->create_time);
	uint64_t execute = analysis_nanoseconds(analysis, construct->time);
	uint64_t visits = construct->visits;
	uint64_t mean_create = summary_mean(create, construct->created);
	uint64_t mean_execute = summary_mean(execute, visits);

	table_put_text(table, construct->file);
	table_put_number(table, (uint64_t)construct->begin_line);
	table_put_number(table, construct->created);
	table_put_number(table, visits);
	table_put_number(table, construct->undeferred);
	table_put_number(table, create);
	table_put_number(table, execute);
	table_put_number(table, mean_create);
	table_put_number(table,
	    visits ? analysis_nanoseconds(analysis, construct->task_min) : SUMMARY_NOT_MEASURED);
	table_put_number(table, mean_execute);
	table_put_number(table,
	    visits ? analysis_nanoseconds(analysis, construct->task_max) : SUMMARY_NOT_MEASURED);
	table_put_ratio(table, summary_share(mean_execute, mean_create));
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;

	table_init(table, "tasks",
	    "TASKS by time (mean: to create one; min avg max: to execute one; grain: avg / mean)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];
		char *name;

		if (construct->kind != CONSTRUCT_KIND_TASK ||
		    construct->created + construct->visits == 0)
			continue;
		name = memory_print("%s:%d %s", summary_base_name(construct->file),
		    construct->begin_line, construct->name);
		if (report_takes_region(options, name)) {
			table_put_text(table, name);
			put_task(table, analysis, construct);
		}
		free(name);
	}
	table_sort(table, "execute_ns");
	if (table_rows(table) == 0)
		table_add_note(table, "No task was created%s.",
		    options->region ? " in the regions that --region names" : "");
	return 0;
}

int command_tasks(const struct options *options)
{
	return report_run(options, fill);
}
