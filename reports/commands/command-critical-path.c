/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport critical-path: how much of the wall time each region takes on the path that determined
 * it, and at which waits the path continued on the thread that ended the wait. Making a region
 * faster that is not on the path gains nothing.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "path-regions.h"
#include "report.h"

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"path_ns", "on path", CELL_TIME, 12},
    {"share", "share", CELL_SHARE, 11},
    {"work_ns", "work", CELL_TIME, 6},
    {"barrier_ns", "barrier", CELL_TIME, 5},
    {"lock_ns", "locks", CELL_TIME, 4},
    {"task_wait_ns", "taskwait", CELL_TIME, 2},
    {"team_ns", "team", CELL_TIME, 3},
    {"mpi_ns", "MPI", CELL_TIME, 5},
    {"delayed_ns", "no proc.", CELL_TIME, 5},
    {"blocked_ns", "blocked", CELL_TIME, 5},
    {"idle_ns", "idle", CELL_TIME, 1},
    {"mostly_by", "mostly by", CELL_TEXT, 7},
    {"cuts", "cuts", CELL_COUNT, 9},
    {"cut_ns", "waits cut", CELL_TIME, 8},
    {"ended_by", "ended mostly by", CELL_TEXT, 10},
};

static const char *thread_name(const struct analysis *analysis, uint32_t thread)
{
	return thread == PATH_NONE ? NULL : analysis->archive->locations[thread].label;
}

static void put_time(struct table *table, const struct analysis *analysis, uint64_t ticks)
{
	table_put_number(table, analysis_nanoseconds(analysis, ticks));
}

static void put_region(struct table *table, const struct analysis *analysis,
    const struct path_region *region, const char *name)
{
	static const enum activity order[] = {ACTIVITY_BARRIER, ACTIVITY_LOCK, ACTIVITY_TASK_WAIT,
	    ACTIVITY_TEAM, ACTIVITY_MPI, ACTIVITY_DELAYED, ACTIVITY_BLOCKED, ACTIVITY_NONE};
	uint64_t wall = analysis->last_time - analysis->first_time;

	table_put_text(table, name);
	put_time(table, analysis, region->total);
	table_put_ratio(table, (double)region->total / (double)wall);
	put_time(table, analysis,
	    region->activities[ACTIVITY_WORK] + region->activities[ACTIVITY_TASK] +
		region->activities[ACTIVITY_SERIAL]);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		put_time(table, analysis, region->activities[order[i]]);
	table_put_text(table, thread_name(analysis, region->mostly_by));
	table_put_number(table, region->cuts);
	put_time(table, analysis, region->waited);
	table_put_text(table, thread_name(analysis, region->ended_by));
}

static void fill(struct table *table, const struct analysis *analysis,
    const struct path_regions *found, const struct options *options)
{
	for (size_t i = 0; i < found->count; i++) {
		char *name;

		if (!found->regions[i].is_on_path)
			continue;
		name = path_regions_name(analysis, i);
		if (report_takes_region(options, name))
			put_region(table, analysis, &found->regions[i], name);
		free(name);
	}
	table_sort(table, "path_ns");
	if (options->region || options->thread || options->rank)
		table_add_note(table,
		    "The path is that of all threads, and so are the changes of thread; the rows are "
		    "the part of it that was chosen, and shares are of the wall time.");
	if (table_rows(table) == 0)
		table_add_note(table, "No region is on the path%s.",
		    options->region || options->thread || options->rank
			? " of those that --region, --thread and --rank choose"
			: "");
	if (analysis->archive->group_count > 1 && !(analysis->mpi && analysis->mpi->knows_waits))
		table_add_note(table,
		    "The archive has no messages between its processes: the path stays within the "
		    "one that ended last.");
}

static int print_path(const struct analysis *analysis, const struct options *options)
{
	const struct path_regions *found = analysis->path_regions;
	struct table table;
	int status;

	table_init(&table, "critical-path",
	    "CRITICAL PATH (adds up to the wall time; cuts: waits left for the thread that ended "
	    "them)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	table_add_number(&table, "wall_ns", "wall", CELL_TIME,
	    analysis_nanoseconds(analysis, analysis->last_time - analysis->first_time));
	table_add_number(&table, "cuts", "changes of thread", CELL_COUNT, found->cuts);
	fill(&table, analysis, found, options);
	report_note_left_out(&table, analysis->archive);
	status = report_print(options, &table, 0);
	table_finish(&table);
	return status;
}

int command_critical_path(const struct options *options)
{
	struct analysis_choice choice = {
	    .from = options->from, .to = options->to, .has_path = true};
	struct archive *archive = command_open_threads(options->path, options);
	struct analysis *analysis;
	bool *counted;
	int status;

	if (!archive)
		return 1;
	counted = memory_new(archive->thread_count, sizeof(counted[0]));
	for (size_t i = 0; i < archive->thread_count; i++)
		counted[i] = report_takes_thread(options, archive, i);
	choice.path_threads = counted;
	analysis = analysis_run(archive, &choice);
	free(counted);
	command_print_warnings(options->path, archive);
	status = print_path(analysis, options);
	analysis_free(analysis);
	archive_close(archive);
	return status;
}
