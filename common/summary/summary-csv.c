/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for spreadsheets: one table (RFC 4180, lines end with a newline). The first column is
 * the kind of row: a total, a region, a metric of a region, a lock or a task construct. Columns
 * that a kind of row does not have are empty, and so are values that were not measured. Times are
 * nanoseconds.
 */
#include <string.h>

#include "common/csv-writer.h"
#include "printers.h"

/* The list of columns, used for the header and for every row. */
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
	DELAYED,
	BLOCKED,
	SYSTEM,
	FAULTS,
	WAIT_DELAYED,
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
    "delayed_ns",
    "blocked_ns",
    "system_ns",
    "faults",
    "wait_delayed_ns",
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

static void put_row(struct csv_writer *csv, const struct row *row)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (i < BEGIN_LINE)
			csv_put_text(csv, row->texts[i]);
		else if (row->numbers[i] != SUMMARY_NOT_MEASURED)
			csv_put_number(csv, row->numbers[i]);
		else
			csv_put_empty(csv);
	}
	csv_end_row(csv);
}

static void put_total(struct csv_writer *csv, const char *name, enum column column, uint64_t value)
{
	struct row row;

	clear(&row, "total");
	row.texts[NAME] = name;
	row.numbers[column] = value;
	put_row(csv, &row);
}

static void put_totals(struct csv_writer *csv, const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	put_total(csv, "wall", TIME, summary->wall);
	put_total(csv, "threads", COUNT, summary->threads);
	put_total(csv, "locations", COUNT, summary->locations);
	put_total(csv, "processors", COUNT,
	    summary->processors ? summary->processors : SUMMARY_NOT_MEASURED);
	put_total(csv, "capacity", TIME, printing->figures.capacity);
	put_total(csv, "parallel", TIME, summary->parallel);
	put_total(csv, "imbalance", TIME, summary->imbalance);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		put_total(
		    csv, summary_category_names[i].key, TIME, printing->figures.categories[i]);
	put_total(csv, "mpi_held", TIME,
	    summary->mpi_calls > 0 ? summary->mpi_held : SUMMARY_NOT_MEASURED);
	put_total(csv, "wait_delayed", TIME, summary->wait_delayed);
	put_total(csv, "processor_time", TIME, summary->processor_time);
	put_total(csv, "system", TIME, summary->system);
	put_total(csv, "faults", COUNT, summary->faults);
	put_total(csv, "quota_thousandths", COUNT,
	    summary->quota ? summary->quota : SUMMARY_NOT_MEASURED);
	put_total(
	    csv, "throttled", TIME, summary->quota ? summary->throttled : SUMMARY_NOT_MEASURED);
	put_total(csv, "stolen", TIME, summary->online ? summary->stolen : SUMMARY_NOT_MEASURED);
	put_total(
	    csv, "machine_idle", TIME, summary->online ? summary->idle : SUMMARY_NOT_MEASURED);
	put_total(csv, "processors_online", COUNT,
	    summary->online ? summary->online : SUMMARY_NOT_MEASURED);
	put_total(
	    csv, "processors_bound", COUNT, summary->bound ? summary->bound : SUMMARY_NOT_MEASURED);
	put_total(csv, "events", COUNT, summary->events);
	put_total(csv, "lost_events", COUNT, printing_lost(printing, summary->lost_events));
	put_total(csv, "untraced_events", COUNT, printing_lost(printing, summary->untraced_events));
	put_total(csv, "event_cost", TIME, summary->event_cost);
}

/* Writes what was chosen; it applies to all rows except the totals. */
static void put_chosen(struct csv_writer *csv, const struct printing *printing)
{
	struct row row;

	if (!printing->summary->chosen)
		return;
	clear(&row, "chosen");
	row.texts[NAME] = printing->summary->chosen;
	row.texts[SUB_NAME] = "totals are of all threads and regions";
	row.numbers[TIME] = printing->figures.chosen;
	put_row(csv, &row);
}

/* Which columns have other keys in the tables. */
static const struct {
	const char *key;
	enum column column;
} renamed[] = {
    {"visits", COUNT},
    {"acquisitions", COUNT},
    {"created", COUNT},
    {"execute_ns", TIME},
    {"wait_ns", ENTER_WAIT},
    {"call", NAME},
    {"what", SUB_NAME},
    {"line", BEGIN_LINE},
    {"seen", COUNT},
};

/* Returns COLUMNS if there is none. */
static int column_of(const char *key)
{
	int column = NAME;

	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (strcmp(key, renamed[i].key) == 0)
			return (int)renamed[i].column;
	}
	while (column < COLUMNS && strcmp(key, titles[column]) != 0)
		column++;
	return column;
}

static void put_rows(struct csv_writer *csv, const char *kind, struct figure_table table)
{
	struct row row;

	for (size_t i = 0; i < table.rows; i++) {
		clear(&row, kind);
		row.texts[NAME] = kind; /* unless the rows have names */
		for (size_t j = 0; j < table.column_count; j++) {
			const char *key = table.columns[j].key;
			int column = key ? column_of(key) : COLUMNS;

			if (column < BEGIN_LINE)
				row.texts[column] = table.cell(table.context, i, j, NULL).text;
			else if (column < COLUMNS)
				row.numbers[column] = table.cell(table.context, i, j, NULL).number;
		}
		put_row(csv, &row);
	}
}

/* Writes a row for each metric that was read there: its name, the construct's name, its count. */
static void put_metrics(
    struct csv_writer *csv, const struct summary *summary, const struct summary_region *region)
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
		put_row(csv, &row);
	}
}

static void put_dropped(struct csv_writer *csv, const struct summary_dropped *dropped)
{
	struct row row;

	clear(&row, "dropped metric");
	row.texts[NAME] = dropped->name;
	row.texts[SUB_NAME] = dropped->reason;
	put_row(csv, &row);
}

void summary_print_csv(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	struct csv_writer csv;

	csv_start(&csv, out);
	for (int i = 0; i < COLUMNS; i++)
		csv_put_text(&csv, titles[i]);
	csv_end_row(&csv);
	put_totals(&csv, printing);
	put_chosen(&csv, printing);
	put_rows(&csv, "region", printing_regions(printing));
	for (size_t i = 0; i < summary->region_count; i++)
		put_metrics(&csv, summary, printing_region(printing, i));
	for (size_t i = 0; i < summary->dropped_count; i++)
		put_dropped(&csv, &summary->dropped[i]);
	put_rows(&csv, "blocked", printing_blocked(printing));
	put_rows(&csv, "lock", printing_locks(printing));
	put_rows(&csv, "task", printing_tasks(printing));
}
