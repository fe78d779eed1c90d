/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The formats of a table: one row of functions each. Text is for people, at any width; JSON is one
 * object with the facts, the rows under the report's name and the notes; CSV (RFC 4180, lines end
 * in a newline) is the rows alone.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "shared/summary-figures.h"
#include "common/text-table.h"
#include "table.h"

#define SCREEN_ROWS 40
#define LABEL_WIDTH 26

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

/* The columns that the text shows, in their order. */
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
		summary_write_plain_text(out, value);
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

static void print_json_text(FILE *out, const char *text)
{
	fputc('"', out);
	summary_write_json_text(out, text);
	fputc('"', out);
}

/* Numbers as both JSON and CSV have them. */
static void print_number(FILE *out, enum cell_kind kind, const struct cell *cell)
{
	if (kind == CELL_DELTA)
		fprintf(out, "%" PRId64, cell->delta);
	else if (kind == CELL_SHARE || kind == CELL_FACTOR)
		fprintf(out, "%.6f", cell->ratio);
	else
		fprintf(out, "%" PRIu64, cell->number);
}

static void print_json_value(
    FILE *out, const char *key, enum cell_kind kind, const struct cell *cell)
{
	print_json_text(out, key);
	fputs(": ", out);
	if (!table_is_measured(kind, cell))
		fputs("null", out);
	else if (kind == CELL_TEXT)
		print_json_text(out, cell->text);
	else
		print_number(out, kind, cell);
}

static void print_json(FILE *out, const struct table *table, int columns, size_t rows)
{
	(void)columns, (void)rows; /* programs want everything */
	fprintf(out, "{\n  \"format\": \"ompinst-%s\", \"version\": 1", table->name);
	for (size_t i = 0; i < table->fact_count; i++) {
		fputs(",\n  ", out);
		print_json_value(
		    out, table->facts[i].key, table->facts[i].kind, &table->facts[i].cell);
	}
	fprintf(out, ",\n  \"%s\": [", table->name);
	for (size_t row = 0; row < table_rows(table); row++) {
		fputs(row ? ",\n    {" : "\n    {", out);
		for (size_t i = 0; i < table->column_count; i++) {
			fputs(i ? ", " : "", out);
			print_json_value(out, table->columns[i].key, table->columns[i].kind,
			    table_cell(table, row, i));
		}
		fputc('}', out);
	}
	fputs(table_rows(table) ? "\n  ],\n  \"notes\": [" : "],\n  \"notes\": [", out);
	for (size_t i = 0; i < table->note_count; i++) {
		fputs(i ? ", " : "", out);
		print_json_text(out, table->notes[i]);
	}
	fputs("]\n}\n", out);
}

static void print_csv(FILE *out, const struct table *table, int columns, size_t rows)
{
	(void)columns, (void)rows;
	for (size_t i = 0; i < table->column_count; i++)
		fprintf(out, "%s%s", i ? "," : "", table->columns[i].key);
	fputc('\n', out);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			const struct cell *cell = table_cell(table, row, i);
			enum cell_kind kind = table->columns[i].kind;

			fputs(i ? "," : "", out);
			if (!table_is_measured(kind, cell))
				continue;
			if (kind == CELL_TEXT)
				summary_write_csv_text(out, cell->text);
			else
				print_number(out, kind, cell);
		}
		fputc('\n', out);
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
