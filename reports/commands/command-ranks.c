/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport ranks: what every thread of every rank did during the run, and what it waited for.
 * execution = computation + no proc. + blocked + barrier + critical + locks + taskwait + team + MPI
 * + idle; MPI is wait and transfer.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "rank-pictures.h"
#include "rank-times.h"
#include "report.h"

#define PICTURE_RANKS 24 /* rows on a screen */

static const struct table_column columns[] = {
    {"thread", "rank:thread", CELL_TEXT, 0},
    {"rank", NULL, CELL_COUNT, 0},
    {"number", NULL, CELL_COUNT, 0},
    {"execution_ns", NULL, CELL_TIME, 0},
    {"computation_ns", "comput", CELL_TIME, 11},
    {"delayed_ns", "no proc.", CELL_TIME, 6},
    {"blocked_ns", "blocked", CELL_TIME, 6},
    {"barrier_ns", "barrier", CELL_TIME, 9},
    {"imbalance_ns", "imbal", CELL_TIME, 5},
    {"critical_ns", "critical", CELL_TIME, 4},
    {"lock_ns", "locks", CELL_TIME, 3},
    {"task_wait_ns", "taskwait", CELL_TIME, 2},
    {"team_ns", "team", CELL_TIME, 1},
    {"mpi_ns", "MPI", CELL_TIME, 8},
    {"mpi_wait_ns", "MPI wait", CELL_TIME, 10},
    {"mpi_transfer_ns", "transfer", CELL_TIME, 6},
    {"idle_ns", "idle", CELL_TIME, 3},
    {"wait_share", "waits", CELL_SHARE, 7},
};

static void put_thread(struct table *table, const struct analysis *analysis, size_t location)
{
	struct rank_thread thread = ranks_thread(analysis, location);
	const uint64_t before[] = {thread.execution, thread.computation},
		       after[] = {thread.barrier, thread.imbalance, thread.critical, thread.lock,
			   thread.task_wait, thread.team, thread.mpi, thread.mpi_wait,
			   thread.mpi_transfer, thread.idle};

	table_put_text(table, analysis->archive->locations[location].label);
	table_put_number(
	    table, thread.process == ARCHIVE_NO_INDEX ? SUMMARY_NOT_MEASURED : thread.process);
	table_put_number(table, location);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		table_put_number(table, analysis_nanoseconds(analysis, before[i]));
	table_put_number(table, analysis_counted(analysis, thread.delayed));
	table_put_number(table, analysis_counted(analysis, thread.blocked));
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		table_put_number(table, analysis_nanoseconds(analysis, after[i]));
	table_put_ratio(table, summary_share(ranks_wait(&thread), thread.execution));
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	size_t count = report->archive->thread_count;
	bool *counted = memory_new(count, sizeof(counted[0]));

	table_init(table, "ranks",
	    "RANKS (comput: outside of waits and MPI; imbal: of the barriers, what other threads "
	    "had more work; MPI: wait + transfer)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	table_add_number(table, "wall_ns", "wall time", CELL_TIME, report->summary.wall);
	table_add_number(table, "processes", "ranks", CELL_COUNT, report->archive->process_count);
	for (size_t i = 0; i < count; i++) {
		counted[i] =
		    analysis->threads[i].seen && report_takes_thread(options, report->archive, i);
		if (counted[i])
			put_thread(table, analysis, i);
	}
	table->picture = rank_picture_waits(analysis, counted, options->width,
	    options->rows == SUMMARY_ROWS_SCREEN ? PICTURE_RANKS : options->rows);
	report_note_all(table, options, "The number of ranks is that of all.");
	if (table_rows(table) == 0)
		table_add_note(table, "No thread fits --thread and --rank.");
	if (report->archive->lost_ranks > 0)
		table_add_note(
		    table, "%" PRIu32 " of the ranks left no events.", report->archive->lost_ranks);
	if (!mpi_was_called(analysis->mpi))
		table_add_note(table, "The archive has no calls of MPI.");
	else if (!analysis->mpi->knows_waits)
		table_add_note(table, "The archive has calls of MPI, but neither messages nor "
				      "collective operations: what they waited for is not known.");
	free(counted);
	return 0;
}

int command_ranks(const struct options *options)
{
	return report_run(options, fill);
}
