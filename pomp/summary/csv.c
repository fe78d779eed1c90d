/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for spreadsheets: one table (RFC 4180, lines end in a newline). The first column says
 * what a row is: a total, a region, a metric of a region, a lock or a task construct; columns that
 * a kind of row has not are empty, as is what was not measured. Times are nanoseconds.
 */
#include <inttypes.h>
#include <string.h>

#include "printers.h"

/* One list for the header and for every row. */
enum column {
	KIND,
	NAME,
	SUB_NAME,
	FILE_NAME,
	BEGIN_LINE,
	END_LINE,
	COUNT,
	TIME,
	SELF,
	THREADS,
	BODY_MIN,
	BODY_SUM,
	BODY_MAX,
	BARRIER_WAIT,
	ENTER_WAIT,
	IMBALANCE,
	GAIN,
	CONTENDED,
	HOLD,
	EXECUTED,
	UNDEFERRED,
	CREATE_TIME,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
    "kind",
    "name",
    "sub_name",
    "file",
    "begin_line",
    "end_line",
    "count",
    "time_ns",
    "self_ns",
    "threads",
    "body_min_ns",
    "body_sum_ns",
    "body_max_ns",
    "barrier_wait_ns",
    "enter_wait_ns",
    "imbalance_ns",
    "gain_ns",
    "contended",
    "hold_ns",
    "executed",
    "undeferred",
    "create_ns",
};

struct row {
	const char *texts[BEGIN_LINE];
	uint64_t numbers[COLUMNS]; /* from BEGIN_LINE on */
};

static void clear(struct row *row, const char *kind)
{
	memset(row, 0, sizeof(*row));
	row->texts[KIND] = kind;
	for (int i = 0; i < COLUMNS; i++)
		row->numbers[i] = SUMMARY_NOT_MEASURED;
}

static void print_row(FILE *out, const struct row *row)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (i)
			fputc(',', out);
		if (i < BEGIN_LINE)
			summary_write_csv_text(out, row->texts[i] ? row->texts[i] : "");
		else if (row->numbers[i] != SUMMARY_NOT_MEASURED)
			fprintf(out, "%" PRIu64, row->numbers[i]);
	}
	fputc('\n', out);
}

static void print_total(FILE *out, const char *name, enum column column, uint64_t value)
{
	struct row row;

	clear(&row, "total");
	row.texts[NAME] = name;
	row.numbers[column] = value;
	print_row(out, &row);
}

static void print_totals(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	print_total(out, "wall", TIME, summary->wall);
	print_total(out, "threads", COUNT, summary->threads);
	print_total(out, "locations", COUNT, summary->locations);
	print_total(out, "processors", COUNT,
	    summary->processors ? summary->processors : SUMMARY_NOT_MEASURED);
	print_total(out, "capacity", TIME, printing->figures.capacity);
	print_total(out, "parallel", TIME, summary->parallel);
	print_total(out, "imbalance", TIME, summary->imbalance);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		print_total(
		    out, summary_category_names[i].key, TIME, printing->figures.categories[i]);
	print_total(out, "mpi_held", TIME,
	    summary->mpi_calls > 0 ? summary->mpi_held : SUMMARY_NOT_MEASURED);
	print_total(out, "events", COUNT, summary->events);
	print_total(out, "lost_events", COUNT, summary->lost_events);
	print_total(out, "untraced_events", COUNT, summary->untraced_events);
	print_total(out, "event_cost", TIME, summary->event_cost);
}

static void print_region(FILE *out, const struct summary_region *region)
{
	struct row row;

	clear(&row, "region");
	row.texts[NAME] = region->name;
	row.texts[SUB_NAME] = region->sub_name;
	row.texts[FILE_NAME] = region->file;
	row.numbers[BEGIN_LINE] = (uint64_t)(region->begin_line < 0 ? 0 : region->begin_line);
	row.numbers[END_LINE] = (uint64_t)(region->end_line < 0 ? 0 : region->end_line);
	row.numbers[COUNT] = region->visits;
	row.numbers[TIME] = region->time;
	row.numbers[SELF] = region->self;
	row.numbers[THREADS] = region->threads;
	row.numbers[BODY_MIN] = region->body_min;
	row.numbers[BODY_SUM] = region->body_sum;
	row.numbers[BODY_MAX] = region->body_max;
	row.numbers[BARRIER_WAIT] = region->barrier_wait;
	row.numbers[ENTER_WAIT] = region->enter_wait;
	row.numbers[IMBALANCE] = region->imbalance;
	row.numbers[GAIN] = summary_gain(region);
	print_row(out, &row);
}

/* A row for each metric that was read there: its name, the construct's, its count. */
static void print_metrics(
    FILE *out, const struct summary *summary, const struct summary_region *region)
{
	struct row row;

	for (size_t i = 0; region->metrics != NULL && i < summary->metric_count; i++) {
		clear(&row, "metric");
		row.texts[NAME] = summary->metrics[i].name;
		row.texts[SUB_NAME] = region->name;
		row.texts[FILE_NAME] = region->file;
		row.numbers[BEGIN_LINE] =
		    (uint64_t)(region->begin_line < 0 ? 0 : region->begin_line);
		row.numbers[COUNT] = region->metrics[i];
		print_row(out, &row);
	}
}

static void print_dropped(FILE *out, const struct summary_dropped *dropped)
{
	struct row row;

	clear(&row, "dropped metric");
	row.texts[NAME] = dropped->name;
	row.texts[SUB_NAME] = dropped->reason;
	print_row(out, &row);
}

static void print_lock(FILE *out, const struct summary_lock *lock)
{
	struct row row;

	clear(&row, "lock");
	row.texts[NAME] = lock->name;
	row.numbers[COUNT] = lock->acquisitions;
	row.numbers[CONTENDED] = lock->contended;
	row.numbers[ENTER_WAIT] = lock->wait;
	row.numbers[HOLD] = lock->hold;
	print_row(out, &row);
}

static void print_task(FILE *out, const struct summary_task *task)
{
	struct row row;

	clear(&row, "task");
	row.texts[NAME] = "task";
	row.texts[FILE_NAME] = task->file;
	row.numbers[BEGIN_LINE] = (uint64_t)(task->begin_line < 0 ? 0 : task->begin_line);
	row.numbers[COUNT] = task->created;
	row.numbers[TIME] = task->execute_time;
	row.numbers[EXECUTED] = task->executed;
	row.numbers[UNDEFERRED] = task->undeferred;
	row.numbers[CREATE_TIME] = task->create_time;
	print_row(out, &row);
}

void summary_print_csv(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	for (int i = 0; i < COLUMNS; i++)
		fprintf(out, "%s%s", i ? "," : "", titles[i]);
	fputc('\n', out);
	print_totals(out, printing);
	for (size_t i = 0; i < summary->region_count; i++)
		print_region(out, printing_region(printing, i));
	for (size_t i = 0; i < summary->region_count; i++)
		print_metrics(out, summary, printing_region(printing, i));
	for (size_t i = 0; i < summary->dropped_count; i++)
		print_dropped(out, &summary->dropped[i]);
	for (size_t i = 0; i < summary->lock_count; i++)
		print_lock(out, printing_lock(printing, i));
	for (size_t i = 0; i < summary->task_count; i++)
		print_task(out, printing_task(printing, i));
}
