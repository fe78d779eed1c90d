/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The printer of tables in three formats. It knows the kinds of cells, and neither the subjects of
 * the tables nor where their values are.
 */
#include "common/figure-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv-writer.h"
#include "common/json-writer.h"

#define NAME_WIDTH_MIN  18
#define NAME_WIDTH_GOOD 26 /* leave out a column before names get shorter than this */
#define NAME_WIDTH_WIDE 44
#define GAP             1
#define MARGIN          1
#define RATIO_DECIMALS  6

bool cell_is_measured(enum cell_kind kind, const struct cell *cell)
{
	switch (kind) {
	case CELL_TEXT:
		return cell->text != NULL;
	case CELL_DELTA:
		return cell->delta != TABLE_NO_DELTA;
	case CELL_SHARE:
	case CELL_FACTOR:
		return cell->ratio >= 0 && isfinite(cell->ratio);
	default:
		return cell->number != SUMMARY_NOT_MEASURED;
	}
}

void cell_format(char text[TEXT_SIZE], enum cell_kind kind, const struct cell *cell)
{
	char figure[SUMMARY_FIGURE_SIZE + 1]; /* and a sign */
	const char *shown = figure;

	if (!cell_is_measured(kind, cell)) {
		snprintf(text, TEXT_SIZE, "n/a");
		return;
	}
	switch (kind) {
	case CELL_TEXT:
		shown = cell->text;
		break;
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
	snprintf(text, TEXT_SIZE, "%s", shown);
}

void cell_put_json(
    struct json_writer *json, const char *key, enum cell_kind kind, const struct cell *cell)
{
	if (!cell_is_measured(kind, cell))
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

void cell_put_csv(struct csv_writer *csv, enum cell_kind kind, const struct cell *cell)
{
	if (!cell_is_measured(kind, cell))
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

/* The layout of the text: the width of each column, 0 for one that is not shown. */
struct layout {
	const struct figure_table *table;
	size_t name, count; /* the columns */
	size_t lines;       /* the titles and the rows */
	int widths[TABLE_COLUMNS_MAX];
};

static void format_at(
    char text[TEXT_SIZE], const struct figure_table *table, size_t line, size_t column)
{
	char buffer[TEXT_SIZE];

	if (line == 0) {
		snprintf(text, TEXT_SIZE, "%s", table->columns[column].title);
	} else {
		struct cell cell = table->cell(table->context, line - 1, column, buffer);
		cell_format(text, table->columns[column].kind, &cell);
	}
}

static bool is_shown(const struct figure_table *table, size_t column)
{
	return table->columns[column].title &&
	       !((table->left_out | table->unmeasured) >> column & 1);
}

static bool is_written(const struct figure_table *table, size_t column)
{
	return table->columns[column].key && !(table->unmeasured >> column & 1);
}

static void measure(struct layout *layout)
{
	const struct figure_table *table = layout->table;
	char text[TEXT_SIZE];

	while (table->columns[layout->name].title == NULL)
		layout->name++;
	for (size_t column = layout->name; column < layout->count; column++) {
		for (size_t line = 0; is_shown(table, column) && line < layout->lines; line++) {
			format_at(text, table, line, column);
			if (text_width(text) > layout->widths[column])
				layout->widths[column] = text_width(text);
		}
	}
}

/*
 * Leaves out columns, and gives the name column the rest, but on a wide page only as much as it can
 * use: figures far from their names are hard to read.
 */
static void fit(struct layout *layout, int width)
{
	const struct table_column *columns = layout->table->columns;
	int rest, name = layout->widths[layout->name];

	for (;;) {
		size_t least = layout->name;

		rest = width - MARGIN;
		for (size_t i = layout->name + 1; i < layout->count; i++) {
			if (layout->widths[i] == 0)
				continue;
			rest -= layout->widths[i] + GAP;
			if (columns[i].importance > 0 &&
			    (least == layout->name ||
				columns[i].importance < columns[least].importance))
				least = i;
		}
		if (least == layout->name || rest >= name || rest >= NAME_WIDTH_GOOD)
			break;
		layout->widths[least] = 0;
	}
	if (rest < name && rest < NAME_WIDTH_MIN)
		rest = NAME_WIDTH_MIN;
	name = name > NAME_WIDTH_WIDE ? name : NAME_WIDTH_WIDE;
	layout->widths[layout->name] = rest < name ? rest : name;
}

static void print_line(FILE *out, const struct layout *layout, size_t line)
{
	char text[TEXT_SIZE];

	for (size_t i = layout->name; i < layout->count; i++) {
		int width = layout->widths[i];

		if (width == 0 && i > layout->name)
			continue;
		format_at(text, layout->table, line, i);
		if (i == layout->name) {
			fprintf(out, "%*s", MARGIN, "");
			text_print_fitted(out, text, width, line == 0 || layout->table->cut_end);
		} else {
			fprintf(out, "%*s", GAP + width - text_width(text), "");
			text_print_plain(out, text);
		}
	}
	fputc('\n', out);
}

void table_print_text(FILE *out, const struct figure_table *table, int width)
{
	size_t rows = table->text_rows < table->rows ? table->text_rows : table->rows;
	struct layout layout = {.table = table, .count = table->column_count, .lines = 1 + rows};

	if (layout.count > TABLE_COLUMNS_MAX)
		layout.count = TABLE_COLUMNS_MAX;
	measure(&layout);
	fit(&layout, width);
	text_print_wrapped(out, "", "  ", table->title, width);
	for (size_t line = 0; line < layout.lines; line++)
		print_line(out, &layout, line);
	if (rows < table->rows)
		fprintf(out, " ... and %zu more%s\n", table->rows - rows, table->rest);
}

void table_put_json_row(struct json_writer *json, const struct figure_table *table, size_t row)
{
	char buffer[TEXT_SIZE];

	for (size_t i = 0; i < table->column_count; i++) {
		if (!is_written(table, i))
			continue;
		struct cell cell = table->cell(table->context, row, i, buffer);

		cell_put_json(json, table->columns[i].key, table->columns[i].kind, &cell);
	}
}

void table_put_json_rows(struct json_writer *json, const struct figure_table *table)
{
	for (size_t row = 0; row < table->rows; row++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		table_put_json_row(json, table, row);
		json_close_object(json);
	}
}

void table_put_csv(struct csv_writer *csv, const struct figure_table *table)
{
	char buffer[TEXT_SIZE];

	for (size_t i = 0; i < table->column_count; i++)
		if (is_written(table, i))
			csv_put_text(csv, table->columns[i].key);
	csv_end_row(csv);
	for (size_t row = 0; row < table->rows; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (!is_written(table, i))
				continue;
			struct cell cell = table->cell(table->context, row, i, buffer);

			cell_put_csv(csv, table->columns[i].kind, &cell);
		}
		csv_end_row(csv);
	}
}
