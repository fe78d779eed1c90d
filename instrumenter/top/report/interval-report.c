/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the tables one after the other; what cannot be read is one sentence. */
#include "interval-report.h"

#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "top-tables.h"

#include <time.h>

enum { TIME_SIZE = 32, LINES_MOST = 15 /* in text */ };

/* "2026-03-01T12:00:00Z" */
static const char *time_now(char text[TIME_SIZE])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(text, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
	return text;
}

static void add_programs(
    struct top_rows *rows, const struct interval_report *report, bool only_readable)
{
	for (size_t i = 0; i < report->list->count; i++) {
		const struct program *program = report->list->items[i];
		if (!only_readable || program->kind == PROGRAM_READABLE)
			top_rows_add(rows, program);
	}
}

static void print_rows(FILE *out, enum top_table which, const struct top_rows *rows, int width)
{
	struct figure_table table = top_table_of(which, rows);

	if (which == TOP_LINES && table.text_rows > LINES_MOST)
		table.text_rows = LINES_MOST;
	if (rows->count > 0)
		table_print_text(out, &table, width);
}

static void print_parts(
    FILE *out, const struct interval_report *report, const struct program *program)
{
	for (enum top_table which = TOP_THREADS; which < TOP_TABLES; which++) {
		struct top_rows rows = {.stuck_after = report->stuck_after};
		top_rows_of_program(&rows, which, program);
		print_rows(out, which, &rows, report->width);
		top_rows_finish(&rows);
	}
}

void interval_print_text(FILE *out, const struct interval_report *report)
{
	struct top_rows rows = {.stuck_after = report->stuck_after};

	add_programs(&rows, report, true);
	print_rows(out, TOP_PROCESSES, &rows, report->width);
	for (size_t i = 0; i < report->list->count; i++) {
		const struct program *program = report->list->items[i];
		if (program->note == NULL)
			continue;
		fprintf(out, "%ld ", (long)program->facts.process);
		text_print_plain(out, program->facts.command);
		fputs(": ", out);
		text_print_plain(out, program->note);
		fputc('\n', out);
	}
	for (size_t i = 0; i < rows.count; i++)
		if (rows.count == 1 || report->with_threads)
			print_parts(out, report, rows.items[i]);
	top_rows_finish(&rows);
}

static void put_parts(
    struct json_writer *json, const struct interval_report *report, const struct program *program)
{
	static const char *const keys[TOP_TABLES] = {[TOP_THREADS] = "threads_seen",
	    [TOP_REGIONS] = "regions",
	    [TOP_LOCKS] = "locks",
	    [TOP_MEASURED] = "measured",
	    [TOP_LINES] = "lines"};

	for (enum top_table which = TOP_THREADS; which < TOP_TABLES; which++) {
		struct top_rows rows = {.stuck_after = report->stuck_after};
		top_rows_of_program(&rows, which, program);
		struct figure_table table = top_table_of(which, &rows);
		json_begin_line(json);
		json_open_array(json, keys[which]);
		table_put_json_rows(json, &table);
		json_close_array(json);
		top_rows_finish(&rows);
	}
}

void interval_print_json(FILE *out, const struct interval_report *report)
{
	struct top_rows rows = {.stuck_after = report->stuck_after};
	struct json_writer json;
	char text[TIME_SIZE];

	add_programs(&rows, report, false);
	struct figure_table table = top_table_of(TOP_PROCESSES, &rows);
	json_start(&json, out, 0);
	json_open_object(&json, NULL);
	json_put_number(&json, "version", 1);
	json_put_text(&json, "time", time_now(text));
	json_put_number(&json, "stuck_after_ns", report->stuck_after);
	json_begin_line(&json);
	json_open_array(&json, "processes");
	for (size_t i = 0; i < rows.count; i++) {
		const struct program *program = rows.items[i];
		json_begin_line(&json);
		json_open_object(&json, NULL);
		table_put_json_row(&json, &table, i);
		json_put_number(&json, "interval_ns", program->ended_at - program->begun_at);
		json_put_boolean(&json, "lines_are_part", program->lines.last.is_part);
		put_parts(&json, report, program);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
	top_rows_finish(&rows);
}

void interval_print_csv_head(FILE *out)
{
	const struct top_rows rows = {.items = NULL};
	const struct figure_table table = top_table_of(TOP_PROCESSES, &rows);
	struct csv_writer csv;

	csv_start(&csv, out);
	csv_put_text(&csv, "time");
	for (size_t i = 0; i < table.column_count; i++)
		if (table.columns[i].key != NULL)
			csv_put_text(&csv, table.columns[i].key);
	csv_end_row(&csv);
}

void interval_print_csv(FILE *out, const struct interval_report *report)
{
	struct top_rows rows = {.stuck_after = report->stuck_after};
	struct csv_writer csv;
	char time_text[TIME_SIZE], buffer[TEXT_SIZE];

	add_programs(&rows, report, false);
	const struct figure_table table = top_table_of(TOP_PROCESSES, &rows);
	csv_start(&csv, out);
	time_now(time_text);
	for (size_t row = 0; row < rows.count; row++) {
		csv_put_text(&csv, time_text);
		for (size_t i = 0; i < table.column_count; i++) {
			if (table.columns[i].key == NULL)
				continue;
			struct cell cell = table.cell(table.context, row, i, buffer);
			cell_put_csv(&csv, table.columns[i].kind, &cell);
		}
		csv_end_row(&csv);
	}
	top_rows_finish(&rows);
}
