/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The formats of a table; each is a set of functions. Text is for people, at any width. JSON is one
 * object with the facts, the rows under the report's name, and the notes. CSV (RFC 4180, lines end
 * in a newline) contains only the rows.
 */
#include <stdlib.h>
#include <string.h>

#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "common/summary-figures.h"
#include "common/text-table.h"
#include "table.h"

#define SCREEN_ROWS    40
#define LABEL_WIDTH    26
#define JSON_INDENT    2
#define RATIO_DECIMALS 6

void table_format_cell(char text[TABLE_CELL_TEXT], enum cell_kind kind, const struct cell *cell)
{
	char figure[SUMMARY_FIGURE_SIZE + 1]; /* and a sign */

	if (!table_is_measured(kind, cell)) {
		snprintf(text, TABLE_CELL_TEXT, "n/a");
		return;
	}
	switch (kind) {
	case CELL_TEXT:
		snprintf(text, TABLE_CELL_TEXT, "%s", cell->text);
		return;
	case CELL_TIME:
		summary_format_time(figure, cell->number);
		break;
	case CELL_DELTA:
		summary_format_time(figure + 1, (uint64_t)llabs(cell->delta));
		figure[0] = cell->delta < 0 ? '-' : '+';
		break;
	case CELL_COUNT:
		summary_format_count(figure, cell->number);
		break;
	case CELL_SHARE:
		summary_format_share(figure, cell->ratio);
		break;
	case CELL_FACTOR:
		snprintf(figure, sizeof(figure), "%.*f", cell->ratio < 99.995 ? 2 : 0, cell->ratio);
		break;
	}
	snprintf(text, TABLE_CELL_TEXT, "%s", figure);
}

/* The columns that the text shows, in order. */
struct text_view {
	const struct table *table;
	size_t columns[TEXT_COLUMNS_MAX];
};

static void text_cell(const void *context, size_t row, int column, char *text)
{
	const struct text_view *view = context;
	size_t index = view->columns[column];

	table_format_cell(
	    text, view->table->columns[index].kind, table_cell(view->table, row, index));
}

static void print_text_rows(FILE *out, const struct table *table, int columns, size_t most)
{
	struct text_column titles[TEXT_COLUMNS_MAX];
	struct text_view view = {.table = table};
	struct text_table text = {.columns = titles, .cell = text_cell, .context = &view};

	for (size_t i = 0; i < table->column_count && text.column_count < TEXT_COLUMNS_MAX; i++) {
		if (!table->columns[i].title)
			continue;
		view.columns[text.column_count] = i;
		titles[text.column_count++] =
		    (struct text_column){table->columns[i].title, table->columns[i].importance};
	}
	text.rows = most && most < table_rows(table) ? most : table_rows(table);
	text_print_table(out, &text, columns);
	if (text.rows < table_rows(table))
		fprintf(out, " ... and %zu more\n", table_rows(table) - text.rows);
}

static void print_text(FILE *out, const struct table *table, int columns, size_t rows)
{
	char value[TABLE_CELL_TEXT];
	bool any = false;

	for (size_t i = 0; i < table->fact_count; i++) {
		const struct table_fact *fact = &table->facts[i];

		if (!fact->label)
			continue;
		table_format_cell(value, fact->kind, &fact->cell);
		fprintf(out, " %-*s ", LABEL_WIDTH, fact->label);
		text_print_plain(out, value);
		fputc('\n', out);
		any = true;
	}
	if (table_rows(table) > 0) {
		fputs(any ? "\n" : "", out);
		text_print_wrapped(out, "", "  ", table->title, columns);
		print_text_rows(
		    out, table, columns, rows == SUMMARY_ROWS_SCREEN ? SCREEN_ROWS : rows);
		any = true;
	}
	if (table->picture) {
		fprintf(out, "%s%s", any ? "\n" : "", table->picture);
		any = true;
	}
	for (size_t i = 0; i < table->note_count; i++) {
		if (i == 0 && any)
			fputc('\n', out);
		text_print_wrapped(out, " ", " ", table->notes[i], columns);
	}
}

static void put_json_cell(
    struct json_writer *json, const char *key, enum cell_kind kind, const struct cell *cell)
{
	if (!table_is_measured(kind, cell))
		json_put_null(json, key);
	else if (kind == CELL_TEXT)
		json_put_text(json, key, cell->text);
	else if (kind == CELL_DELTA)
		json_put_signed(json, key, cell->delta);
	else if (kind == CELL_SHARE || kind == CELL_FACTOR)
		json_put_decimal(json, key, cell->ratio, RATIO_DECIMALS);
	else
		json_put_number(json, key, cell->number);
}

static void put_json_rows(struct json_writer *json, const struct table *table)
{
	for (size_t row = 0; row < table_rows(table); row++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		for (size_t i = 0; i < table->column_count; i++)
			put_json_cell(json, table->columns[i].key, table->columns[i].kind,
			    table_cell(table, row, i));
		json_close_object(json);
	}
}

static void print_json(FILE *out, const struct table *table, int columns, size_t rows)
{
	char format[64];
	struct json_writer json;

	(void)columns, (void)rows; /* JSON always contains everything */
	snprintf(format, sizeof(format), "ompinst-%s", table->name);
	json_start(&json, out, JSON_INDENT);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", format);
	json_put_number(&json, "version", 1);
	for (size_t i = 0; i < table->fact_count; i++) {
		json_begin_line(&json);
		put_json_cell(
		    &json, table->facts[i].key, table->facts[i].kind, &table->facts[i].cell);
	}
	json_begin_line(&json);
	json_open_array(&json, table->name);
	put_json_rows(&json, table);
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "notes");
	for (size_t i = 0; i < table->note_count; i++)
		json_put_text(&json, NULL, table->notes[i]);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static void put_csv_cell(struct csv_writer *csv, enum cell_kind kind, const struct cell *cell)
{
	if (!table_is_measured(kind, cell))
		csv_put_empty(csv);
	else if (kind == CELL_TEXT)
		csv_put_text(csv, cell->text);
	else if (kind == CELL_DELTA)
		csv_put_signed(csv, cell->delta);
	else if (kind == CELL_SHARE || kind == CELL_FACTOR)
		csv_put_decimal(csv, cell->ratio, RATIO_DECIMALS);
	else
		csv_put_number(csv, cell->number);
}

static void print_csv(FILE *out, const struct table *table, int columns, size_t rows)
{
	struct csv_writer csv;

	(void)columns, (void)rows;
	csv_start(&csv, out);
	for (size_t i = 0; i < table->column_count; i++)
		csv_put_text(&csv, table->columns[i].key);
	csv_end_row(&csv);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++)
			put_csv_cell(&csv, table->columns[i].kind, table_cell(table, row, i));
		csv_end_row(&csv);
	}
}

static void (*const formats[])(FILE *out, const struct table *table, int columns, size_t rows) = {
    [SUMMARY_TEXT] = print_text,
    [SUMMARY_JSON] = print_json,
    [SUMMARY_CSV] = print_csv,
};

void table_print(
    FILE *out, const struct table *table, enum summary_format format, int columns, size_t rows)
{
	formats[format](out, table, columns, rows);
}
