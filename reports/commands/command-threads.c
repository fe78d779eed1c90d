/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport threads: how each thread spent its time. The categories of a thread add up to the wall
 * time. With --ompp, a row per region and thread under the column names of ompP's profiles.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"
#include "streams.h"

static const struct table_column columns[] = {
    {"thread", "thread", CELL_TEXT, 0},
    {"number", NULL, CELL_COUNT, 0},
    {"process", NULL, CELL_TEXT, 0},
    {"events", "events", CELL_COUNT, 2},
    {"serial_ns", "serial", CELL_TIME, 7},
    {"work_ns", "work", CELL_TIME, 10},
    {"tasks_ns", "tasks", CELL_TIME, 6},
    {"barrier_ns", "barrier", CELL_TIME, 9},
    {"lock_ns", "locks", CELL_TIME, 8},
    {"task_wait_ns", "taskwait", CELL_TIME, 4},
    {"team_ns", "team", CELL_TIME, 5},
    {"mpi_ns", "MPI", CELL_TIME, 8},
    {"delayed_ns", "no proc.", CELL_TIME, 8},
    {"blocked_ns", "blocked", CELL_TIME, 8},
    {"idle_ns", "idle", CELL_TIME, 3},
    {"useful_share", "useful", CELL_SHARE, 11},
};

static const struct table_column ompp_columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"thread", "thread", CELL_TEXT, 0},
    {"execT", "execT", CELL_TIME, 8},
    {"execC", "execC", CELL_COUNT, 7},
    {"bodyT", "bodyT", CELL_TIME, 6},
    {"exitBarT", "exitBarT", CELL_TIME, 5},
    {"enterT", "enterT", CELL_TIME, 4},
    {"startupT", "startupT", CELL_TIME, 3},
    {"shutdwnT", "shutdwnT", CELL_TIME, 2},
};

/* The columns of activities, in order. */
static const enum activity activities[] = {
    ACTIVITY_SERIAL,
    ACTIVITY_WORK,
    ACTIVITY_TASK,
    ACTIVITY_BARRIER,
    ACTIVITY_LOCK,
    ACTIVITY_TASK_WAIT,
    ACTIVITY_TEAM,
    ACTIVITY_MPI,
    ACTIVITY_DELAYED,
    ACTIVITY_BLOCKED,
};

static void put_thread(struct table *table, const struct report *report, size_t index)
{
	const struct analysis *analysis = report->analysis;
	const struct archive_location *location = &analysis->archive->locations[index];
	const struct thread *thread = &analysis->threads[index];
	uint64_t wall = report->summary.wall, known = 0;

	table_put_text(table, location->label);
	table_put_number(table, index);
	table_put_text(table, location->group == ARCHIVE_NO_INDEX
				  ? ""
				  : analysis->archive->groups[location->group].name);
	table_put_number(table, location->events_read);
	for (size_t i = 0; i < sizeof(activities) / sizeof(activities[0]); i++) {
		enum activity activity = activities[i];
		uint64_t ticks = thread->activities[activity];
		bool is_counted = activity == ACTIVITY_DELAYED || activity == ACTIVITY_BLOCKED;

		table_put_number(table, is_counted ? analysis_counted(analysis, ticks)
						   : analysis_nanoseconds(analysis, ticks));
		known += analysis_nanoseconds(analysis, ticks);
	}
	table_put_number(table, wall > known ? wall - known : 0);
	table_put_ratio(table,
	    summary_share(analysis_nanoseconds(analysis, thread->activities[ACTIVITY_SERIAL] +
							     thread->activities[ACTIVITY_WORK] +
							     thread->activities[ACTIVITY_TASK]),
		wall));
}

static void fill_threads(
    struct table *table, const struct report *report, const struct options *options)
{
	table_init(table, "threads",
	    "THREADS (idle: in no team; the times of a row add up to the wall time)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	table_add_number(table, "wall_ns", "wall time", CELL_TIME, report->summary.wall);
	table_add_number(
	    table, "threads_seen", "threads seen", CELL_COUNT, report->summary.locations);
	report_note_all(table, options, "The threads seen are those of all ranks.");
	for (size_t i = 0; i < report->archive->thread_count; i++) {
		if (report->analysis->threads[i].seen &&
		    report_takes_thread(options, report->archive, i))
			put_thread(table, report, i);
	}
}

static uint64_t time_if(const struct report *report, bool measured, uint64_t ticks)
{
	return measured ? analysis_nanoseconds(report->analysis, ticks) : SUMMARY_NOT_MEASURED;
}

static void put_visited(struct table *table, const struct report *report, const char *region,
    const struct visited *visited, const char *thread)
{
	const struct construct *construct = &report->analysis->constructs[visited->construct];
	bool parallel = construct->kind == CONSTRUCT_KIND_PARALLEL && report->analysis->has_forks;

	table_put_text(table, region);
	table_put_text(table, thread);
	table_put_number(table, time_if(report, true, visited->time));
	table_put_number(table, visited->visits);
	table_put_number(table, time_if(report, construct->has_body, visited->body));
	table_put_number(
	    table, time_if(report, construct->has_barrier_wait, visited->barrier_wait));
	table_put_number(table, time_if(report, construct->has_enter_wait, visited->enter_wait));
	table_put_number(table, time_if(report, parallel, visited->startup));
	table_put_number(table, time_if(report, parallel, visited->shutdown));
}

static void fill_ompp(
    struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;

	table_init(table, "threads", "REGIONS BY THREAD, ompP's columns (T: time, C: count)",
	    ompp_columns, sizeof(ompp_columns) / sizeof(ompp_columns[0]));
	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		char *name = analysis_construct_name(&analysis->constructs[i]);

		for (size_t j = 0;
		     report_takes_region(options, name) && j < analysis->archive->thread_count;
		     j++) {
			const struct visited *visited = analysis_visited(&analysis->threads[j], i);

			if (visited && visited->visits > 0 &&
			    report_takes_thread(options, analysis->archive, j))
				put_visited(table, report, name, visited,
				    analysis->archive->locations[j].label);
		}
		free(name);
	}
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	(options->ompp ? fill_ompp : fill_threads)(table, report, options);
	if (!options->ompp && (options->from > 0 || options->to != SUMMARY_NOT_MEASURED))
		table_add_note(table, "Times are those between --from and --to; the events are "
				      "those of the whole run.");
	if (table_rows(table) == 0)
		table_add_note(table, "No thread fits%s%s%s%s.",
		    options->thread ? " --thread=" : "", options->thread ? options->thread : "",
		    options->region ? " --region=" : "", options->region ? options->region : "");
	return 0;
}

int command_threads(const struct options *options)
{
	if (!options->ompp && (options->region || options->min_duration > 0)) {
		fputs("ompreport threads: a thread's times are those of all its regions; --region "
		      "and --min-duration choose among them with --ompp\n",
		    stream_messages());
		return 2;
	}
	return report_run(options, fill);
}
