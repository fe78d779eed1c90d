/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport critical-path: how much of the wall time each region stands for on the path that
 * determined it, and which waits the path was cut at, to go on with the thread that ended them. A
 * region that is not on the path can be made faster without any gain.
 */
#include <stdlib.h>

#include "memory.h"
#include "report.h"

/* Of 24 bytes each; an array that grows takes the half of its size more, or is copied. */
#define CHANGES_MAX 16000000

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"path_ns", "on path", CELL_TIME, 12},
    {"share", "share", CELL_SHARE, 11},
    {"work_ns", "work", CELL_TIME, 6},
    {"barrier_ns", "barrier", CELL_TIME, 5},
    {"lock_ns", "locks", CELL_TIME, 4},
    {"task_wait_ns", "taskwait", CELL_TIME, 2},
    {"team_ns", "team", CELL_TIME, 3},
    {"idle_ns", "idle", CELL_TIME, 1},
    {"mostly_by", "mostly by", CELL_TEXT, 7},
    {"cuts", "cuts", CELL_COUNT, 9},
    {"cut_ns", "waits cut", CELL_TIME, 8},
    {"ended_by", "ended mostly by", CELL_TEXT, 10},
};

/* What the path has of a region; ticks. */
struct on_path {
	uint64_t total, activities[ACTIVITIES];
	uint64_t cuts, waited;
	uint64_t *by, *ended_by; /* by thread: its time on the path, the waits that it ended */
};

struct walk {
	const struct analysis *analysis;
	struct on_path *regions; /* by construct; the last one: outside of all */
	uint64_t cuts;
};

static void take_step(void *context, const struct path_step *step)
{
	struct walk *walk = context;
	const struct analysis *analysis = walk->analysis;
	size_t threads = analysis->archive->location_count;
	struct on_path *region =
	    &walk->regions[step->construct < analysis->construct_count ? step->construct
								       : analysis->construct_count];

	if (!region->by) {
		region->by = memory_new(threads, sizeof(region->by[0]));
		region->ended_by = memory_new(threads, sizeof(region->ended_by[0]));
	}
	region->total += step->to - step->from;
	region->activities[step->activity] += step->to - step->from;
	region->by[step->thread] += step->to - step->from;
	if (step->ended_by == PATH_NONE)
		return;
	region->cuts++;
	region->waited += step->waited;
	region->ended_by[step->ended_by] += step->waited;
	walk->cuts++;
}

/* The thread with the most of it; NULL when none has any. */
static const char *most_of(const struct analysis *analysis, const uint64_t *ticks)
{
	const char *name = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < analysis->archive->location_count; i++) {
		if (ticks[i] > most) {
			most = ticks[i];
			name = analysis->archive->locations[i].name;
		}
	}
	return name;
}

static void put_time(struct table *table, const struct analysis *analysis, uint64_t ticks)
{
	table_put_number(table, analysis_nanoseconds(analysis, ticks));
}

static void put_region(struct table *table, const struct analysis *analysis,
    const struct on_path *region, const char *name)
{
	static const enum activity order[] = {
	    ACTIVITY_BARRIER, ACTIVITY_LOCK, ACTIVITY_TASK_WAIT, ACTIVITY_TEAM, ACTIVITY_NONE};
	uint64_t wall = analysis->last_time - analysis->first_time;

	table_put_text(table, name);
	put_time(table, analysis, region->total);
	table_put_ratio(table, (double)region->total / (double)wall);
	put_time(table, analysis,
	    region->activities[ACTIVITY_WORK] + region->activities[ACTIVITY_TASK] +
		region->activities[ACTIVITY_SERIAL]);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		put_time(table, analysis, region->activities[order[i]]);
	table_put_text(table, most_of(analysis, region->by));
	table_put_number(table, region->cuts);
	put_time(table, analysis, region->waited);
	table_put_text(table, most_of(analysis, region->ended_by));
}

/* The thread that the program ended on; of those with equally late events the first. */
static uint32_t last_thread(const struct analysis *analysis)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < analysis->archive->location_count; i++) {
		if (analysis->threads[i].last_real_time > analysis->threads[last].last_real_time)
			last = i;
	}
	return last;
}

static void fill(struct table *table, const struct walk *walk, const struct options *options)
{
	const struct analysis *analysis = walk->analysis;

	for (size_t i = 0; i <= analysis->construct_count; i++) {
		char *name = i < analysis->construct_count
				 ? analysis_construct_name(&analysis->constructs[i])
				 : memory_copy_text("(outside of all regions)");

		if (walk->regions[i].by && report_takes_region(options, name))
			put_region(table, analysis, &walk->regions[i], name);
		free(name);
	}
	table_sort(table, "path_ns");
	if (table_rows(table) == 0)
		table_add_note(table, "No region is on the path%s.",
		    options->region ? " of those that --region names" : "");
	if (analysis->archive->group_count > 1)
		table_add_note(table,
		    "Messages between processes are not followed: the path stays within the one "
		    "that ended last.");
}

static int print_path(const struct analysis *analysis, const struct options *options)
{
	struct walk walk = {.analysis = analysis};
	struct table table;
	int status;

	walk.regions = memory_new(analysis->construct_count + 1, sizeof(walk.regions[0]));
	if (analysis->archive->location_count > 0)
		path_walk(analysis->path, last_thread(analysis), analysis->first_time,
		    analysis->last_time, take_step, &walk);
	table_init(&table, "critical-path",
	    "CRITICAL PATH (adds up to the wall time; cuts: waits left for the thread that ended "
	    "them)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	table_add_number(&table, "wall_ns", "wall", CELL_TIME,
	    analysis_nanoseconds(analysis, analysis->last_time - analysis->first_time));
	table_add_number(&table, "cuts", "changes of thread", CELL_COUNT, walk.cuts);
	fill(&table, &walk, options);
	status = report_print(options, &table, 0);
	table_finish(&table);
	for (size_t i = 0; i <= analysis->construct_count; i++) {
		free(walk.regions[i].by);
		free(walk.regions[i].ended_by);
	}
	free(walk.regions);
	return status;
}

int command_critical_path(const struct options *options)
{
	struct analysis_choice choice = {
	    .from = options->from, .to = options->to, .path_max = CHANGES_MAX};
	struct archive *archive = command_open(options->path);
	struct analysis *analysis;
	int status = 1;

	if (!archive)
		return 1;
	analysis = analysis_run(archive, &choice);
	command_print_warnings(options->path, archive);
	if (analysis->path->full)
		fprintf(stderr,
		    "ompreport: %s: threads change what they do more than %d times, which is more "
		    "than a path is looked for in; choose a part of the run with --from and --to\n",
		    options->path, CHANGES_MAX);
	else
		status = print_path(analysis, options);
	analysis_free(analysis);
	archive_close(archive);
	return status;
}
