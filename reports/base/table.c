/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills, orders and prints the tables of table.h. */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "memory.h"
#include "shared/precondition.h"

#define SCREEN_ROWS 40
#define LABEL_WIDTH 27
#define JSON_INDENT 2

void table_init(struct table *table, const char *name, const char *title,
    const struct table_column *columns, size_t column_count)
{
	*table = (struct table){
	    .name = name, .title = title, .columns = columns, .column_count = column_count};
}

void table_finish(struct table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free((char *)table->cells[i].text);
	for (size_t i = 0; i < table->fact_count; i++)
		free((char *)table->facts[i].cell.text);
	for (size_t i = 0; i < table->note_count; i++)
		free(table->notes[i]);
	free(table->cells);
	free(table->facts);
	free(table->picture);
	free(table->notes);
}

static struct cell *next_cell(struct table *table)
{
	return MEMORY_ADD(table->cells, table->cell_room, table->cell_count);
}

static enum cell_kind next_kind(const struct table *table)
{
	return table->columns[table->cell_count % table->column_count].kind;
}

void table_put_text(struct table *table, const char *text)
{
	CHECK(next_kind(table) == CELL_TEXT, "the column has texts");
	next_cell(table)->text = memory_copy_text(text ? text : "");
}

void table_put_number(struct table *table, uint64_t number)
{
	CHECK(next_kind(table) == CELL_TIME || next_kind(table) == CELL_COUNT,
	    "the column has times or counts");
	next_cell(table)->number = number;
}

void table_put_delta(struct table *table, int64_t delta)
{
	CHECK(next_kind(table) == CELL_DELTA, "the column has differences");
	next_cell(table)->delta = delta;
}

void table_put_ratio(struct table *table, double ratio)
{
	CHECK(next_kind(table) == CELL_SHARE || next_kind(table) == CELL_FACTOR,
	    "the column has ratios");
	next_cell(table)->ratio = ratio;
}

static struct cell *next_fact(
    struct table *table, const char *key, const char *label, enum cell_kind kind)
{
	struct table_fact *fact;

	fact = MEMORY_ADD(table->facts, table->fact_room, table->fact_count);
	fact->key = key;
	fact->label = label;
	fact->kind = kind;
	return &fact->cell;
}

void table_add_text(struct table *table, const char *key, const char *label, const char *text)
{
	next_fact(table, key, label, CELL_TEXT)->text = memory_copy_text(text ? text : "");
}

void table_add_number(
    struct table *table, const char *key, const char *label, enum cell_kind kind, uint64_t number)
{
	next_fact(table, key, label, kind)->number = number;
}

void table_add_ratio(
    struct table *table, const char *key, const char *label, enum cell_kind kind, double ratio)
{
	next_fact(table, key, label, kind)->ratio = ratio;
}

void table_add_note(struct table *table, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = memory_copy_text("(a note was too long for the memory)");
	va_end(arguments);
	*MEMORY_ADD(table->notes, table->note_room, table->note_count) = text;
}

static const struct cell *table_cell(const struct table *table, size_t row, size_t column)
{
	return &table->cells[row * table->column_count + column];
}

struct sorting {
	const struct table *table;
	size_t column;
};

static int compare_cells(enum cell_kind kind, const struct cell *one, const struct cell *other)
{
	switch (kind) {
	case CELL_TEXT:
		return strverscmp(one->text, other->text); /* "thread 2" before "thread 10" */
	case CELL_DELTA:
		return (one->delta < other->delta) - (one->delta > other->delta);
	case CELL_SHARE:
	case CELL_FACTOR:
		return (one->ratio < other->ratio) - (one->ratio > other->ratio);
	default:
		return (one->number < other->number) - (one->number > other->number);
	}
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct sorting *sorting = context;
	size_t one = *(const size_t *)left, other = *(const size_t *)right;
	enum cell_kind kind = sorting->table->columns[sorting->column].kind;
	const struct cell *first = table_cell(sorting->table, one, sorting->column);
	const struct cell *second = table_cell(sorting->table, other, sorting->column);
	int known = cell_is_measured(kind, first) - cell_is_measured(kind, second);
	int result = known ? -known : compare_cells(kind, first, second);

	return result ? result : (one > other) - (one < other);
}

int table_sort(struct table *table, const char *key)
{
	struct sorting sorting = {.table = table};
	size_t rows = table_rows(table), *order;
	struct cell *cells;

	while (sorting.column < table->column_count &&
	       strcmp(table->columns[sorting.column].key, key) != 0)
		sorting.column++;
	if (sorting.column == table->column_count)
		return -1;
	order = memory_new(rows, sizeof(order[0]));
	cells = memory_new(table->cell_count, sizeof(cells[0]));
	for (size_t i = 0; i < rows; i++)
		order[i] = i;
	qsort_r(order, rows, sizeof(order[0]), compare_rows, &sorting);
	for (size_t i = 0; i < rows; i++)
		memcpy(&cells[i * table->column_count], table_cell(table, order[i], 0),
		    table->column_count * sizeof(cells[0]));
	free(table->cells);
	free(order);
	table->cells = cells;
	table->cell_room = table->cell_count;
	return 0;
}

static struct cell cell_of(const void *context, size_t row, size_t column, char *buffer)
{
	(void)buffer;
	return *table_cell(context, row, column);
}

static struct figure_table rows_of(const struct table *table)
{
	return (struct figure_table){table->title, "", table->columns, table->column_count,
	    table_rows(table), table_rows(table), false, cell_of, table, table->left_out,
	    table->unmeasured};
}

static void print_text(FILE *out, const struct table *table, int columns, size_t rows)
{
	struct figure_table figures = rows_of(table);
	char value[TEXT_SIZE];
	bool any = false;

	for (size_t i = 0; i < table->fact_count; i++) {
		const struct table_fact *fact = &table->facts[i];

		if (!fact->label)
			continue;
		cell_format(value, fact->kind, &fact->cell);
		fputc(' ', out);
		text_print_fact(out, fact->label, LABEL_WIDTH, value);
		any = true;
	}
	if (figures.rows > 0) {
		fputs(any ? "\n" : "", out);
		figures.text_rows = rows == SUMMARY_ROWS_SCREEN ? SCREEN_ROWS
				    : rows > 0                  ? rows
								: figures.rows;
		table_print_text(out, &figures, columns);
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

static void print_json(FILE *out, const struct table *table)
{
	struct figure_table figures = rows_of(table);
	char format[64];
	struct json_writer json;

	snprintf(format, sizeof(format), "ompinst-%s", table->name);
	json_start(&json, out, JSON_INDENT);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", format);
	json_put_number(&json, "version", 1);
	for (size_t i = 0; i < table->fact_count; i++) {
		json_begin_line(&json);
		cell_put_json(
		    &json, table->facts[i].key, table->facts[i].kind, &table->facts[i].cell);
	}
	json_begin_line(&json);
	json_open_array(&json, table->name);
	table_put_json_rows(&json, &figures);
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "notes");
	for (size_t i = 0; i < table->note_count; i++)
		json_put_text(&json, NULL, table->notes[i]);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

void table_print(
    FILE *out, const struct table *table, enum summary_format format, int columns, size_t rows)
{
	if (format == SUMMARY_TEXT) {
		print_text(out, table, columns, rows);
	} else if (format == SUMMARY_JSON) {
		print_json(out, table);
	} else {
		struct figure_table figures = rows_of(table);
		struct csv_writer csv;

		csv_start(&csv, out);
		table_put_csv(&csv, &figures);
	}
}
