/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport messages: what MPI calls waited for, by function and calling construct, with the ranks
 * that waited and those that were late; the rows of one call add up to its time. With --matrix,
 * messages and bytes by sender and receiver.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "rank-pictures.h"
#include "rank-times.h"
#include "report.h"
#include "streams.h"

static const struct table_column columns[] = {
    {"region", "function of MPI", CELL_TEXT, 0},
    {"kind", "what", CELL_TEXT, 0},
    {"caller", "in", CELL_TEXT, 8},
    {"calls", "calls", CELL_COUNT, 7},
    {"time_ns", "time", CELL_TIME, 10},
    {"share", "share", CELL_SHARE, 9},
    {"mean_ns", "mean", CELL_TIME, 5},
    {"ranks", "ranks", CELL_COUNT, 4},
    {"most_in", "most in", CELL_TEXT, 6},
    {"late", "late", CELL_TEXT, 8},
};

static const struct table_column matrix_columns[] = {
    {"pair", "from > to", CELL_TEXT, 0},
    {"sender", NULL, CELL_COUNT, 0},
    {"receiver", NULL, CELL_COUNT, 0},
    {"messages", "messages", CELL_COUNT, 5},
    {"bytes", "bytes", CELL_COUNT, 4},
    {"mean_bytes", "mean", CELL_COUNT, 3},
};

static void put_rank(struct table *table, uint32_t process)
{
	char *name = process == ARCHIVE_NO_INDEX ? NULL : memory_print("rank %u", process);

	table_put_text(table, name);
	free(name);
}

static void put_times(
    struct table *table, const struct report *report, uint64_t calls, uint64_t ticks)
{
	uint64_t time = analysis_nanoseconds(report->analysis, ticks);

	table_put_number(table, calls);
	table_put_number(table, time);
	table_put_ratio(table, summary_share(time, report->figures.chosen));
	table_put_number(table, calls ? time / calls : 0);
}

/* A row: one kind of wait of a call, or, with MPI_WAITS, the rest of its time. */
struct row {
	const struct rank_region *region;
	int wait;
	uint64_t time;
};

static void put_row(struct table *table, const struct report *report, const struct row *row)
{
	const struct rank_region *region = row->region;

	table_put_text(table, region->call);
	if (row->wait == MPI_WAITS) {
		table_put_text(table, "transfer");
		table_put_text(table, region->caller);
		put_times(table, report, region->visits, region->transfer);
		table_put_number(table, SUMMARY_NOT_MEASURED);
		put_rank(table, ARCHIVE_NO_INDEX);
		put_rank(table, ARCHIVE_NO_INDEX);
		return;
	}
	table_put_text(table, mpi_wait_names[row->wait].title);
	table_put_text(table, region->caller);
	put_times(table, report, region->counts[row->wait], region->waits[row->wait]);
	table_put_number(table, region->waiting[row->wait]);
	put_rank(table, region->waited_most[row->wait]);
	put_rank(table, region->late_most[row->wait]);
}

/* The longest waits first; rows that are not waits come last. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *one = left, *other = right;

	if ((one->wait == MPI_WAITS) != (other->wait == MPI_WAITS))
		return one->wait == MPI_WAITS ? 1 : -1;
	if (one->time != other->time)
		return one->time < other->time ? 1 : -1;
	return one->region != other->region ? (one->region < other->region ? -1 : 1)
					    : one->wait - other->wait;
}

static size_t find_rows(
    struct row *rows, const struct rank_regions *found, const struct options *options)
{
	size_t count = 0;

	for (size_t i = 0; i < found->count; i++) {
		const struct rank_region *region = &found->regions[i];

		if (!report_takes_region(options, region->name))
			continue;
		for (int wait = 0; wait < MPI_WAITS; wait++) {
			if (region->counts[wait] > 0)
				rows[count++] = (struct row){region, wait, region->waits[wait]};
		}
		if (region->visits > 0)
			rows[count++] = (struct row){region, MPI_WAITS, region->transfer};
	}
	qsort(rows, count, sizeof(rows[0]), compare_rows);
	return count;
}

static void fill_waits(
    struct table *table, const struct report *report, const struct options *options)
{
	struct rank_regions found = ranks_regions(report->analysis);
	struct row *rows = memory_new(found.count * (MPI_WAITS + 1), sizeof(rows[0]));
	size_t count = find_rows(rows, &found, options);

	table_init(table, "messages",
	    "CALLS OF MPI by what they waited for (late: the rank waited for; transfer: the rest)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count; i++)
		put_row(table, report, &rows[i]);
	free(rows);
	ranks_free_regions(&found);
	table->picture = rank_picture_messages(report->analysis, options->width);
}

static void fill_matrix(struct table *table, const struct mpi *mpi)
{
	table_init(table, "messages", "MESSAGES by sender and receiver", matrix_columns,
	    sizeof(matrix_columns) / sizeof(matrix_columns[0]));
	for (size_t i = 0; mpi && i < mpi->pair_count; i++) {
		const struct mpi_pair *pair = &mpi->pairs[i];
		char *name = memory_print("rank %u > %u", pair->sender, pair->receiver);

		table_put_text(table, name);
		table_put_number(table, pair->sender);
		table_put_number(table, pair->receiver);
		table_put_number(table, pair->messages);
		table_put_number(table, pair->bytes);
		table_put_number(table, pair->bytes / pair->messages);
		free(name);
	}
	table_sort(table, "bytes");
}

static void add_counts(struct table *table, const struct mpi_counts *counts)
{
	table_add_number(table, "messages_sent", "messages", CELL_COUNT, counts->messages);
	table_add_number(table, "bytes_sent", "bytes", CELL_COUNT, counts->bytes);
	table_add_number(table, "collectives", "collectives", CELL_COUNT, counts->collectives);
	table_add_number(table, "unknown", NULL, CELL_COUNT, counts->unknown);
	table_add_number(table, "unreceived", NULL, CELL_COUNT, counts->unreceived);
	table_add_number(table, "unsent", NULL, CELL_COUNT, counts->unsent);
	table_add_number(table, "incomplete", NULL, CELL_COUNT, counts->incomplete);
	if (counts->unknown > 0)
		table_add_note(table,
		    "%" PRIu64 " messages and collectives are on communicators whose members the "
		    "archive does not define (between two groups, or undefined): their waits are not "
		    "known.",
		    counts->unknown);
	if (counts->unreceived + counts->unsent + counts->incomplete > 0)
		table_add_note(table,
		    "Without their other half are %" PRIu64 " sends, %" PRIu64
		    " receives and %" PRIu64 " collectives: what they waited for is not known.",
		    counts->unreceived, counts->unsent, counts->incomplete);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct mpi *mpi = report->analysis->mpi;
	static const struct mpi_counts none;

	if (options->matrix)
		fill_matrix(table, mpi);
	else
		fill_waits(table, report, options);
	add_counts(table, mpi ? &mpi->counts : &none);
	report_note_all(table, options,
	    options->matrix ? "The rows are what the chosen threads sent; messages, bytes and "
			      "collectives in all are those of all threads."
			    : "The messages by sender and receiver are those that the chosen "
			      "threads sent; messages, bytes and collectives in all are those of "
			      "all threads.");
	if (options->region)
		table_add_note(table, "Messages by sender and receiver, and messages, bytes and "
				      "collectives in all, are those of all regions.");
	if (!mpi_was_called(mpi))
		table_add_note(table, "The archive has no calls of MPI.");
	else if (table_rows(table) == 0)
		table_add_note(table, "No call of MPI fits%s.",
		    options->region ? " --region" : " what was chosen");
	return 0;
}

int command_messages(const struct options *options)
{
	if (options->matrix && options->region) {
		fputs("ompreport messages: the matrix is of all regions; --region chooses without "
		      "--matrix\n",
		    stream_messages());
		return 2;
	}
	return report_run(options, fill);
}
