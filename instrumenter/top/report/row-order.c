/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the rows of a table by what a column shows. */
#include "top-tables.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct keyed_row {
	const void *item;
	size_t index;
	double number; /* figures: negative if not measured */
	char *text;    /* texts */
};

static int compare(const void *first, const void *second)
{
	const struct keyed_row *one = first, *two = second;
	int order = 0;

	if (one->text != NULL && two->text != NULL)
		order = strcasecmp(one->text, two->text);
	else if (one->number < two->number || one->number > two->number)
		order = one->number < two->number ? 1 : -1;
	return order != 0 ? order : (one->index > two->index) - (one->index < two->index);
}

static double figure_of(enum cell_kind kind, const struct cell *cell)
{
	if (!cell_is_measured(kind, cell))
		return -1;
	return kind == CELL_SHARE || kind == CELL_FACTOR ? cell->ratio : (double)cell->number;
}

void top_rows_sort(struct top_rows *rows, enum top_table which, size_t column, bool reverse)
{
	struct figure_table table = top_table_of(which, rows);
	enum cell_kind kind = table.columns[column].kind;
	struct keyed_row *keyed = calloc(rows->count + 1, sizeof *keyed);
	char buffer[TEXT_SIZE];

	if (keyed == NULL)
		return;
	for (size_t i = 0; i < rows->count; i++) {
		struct cell cell = table.cell(rows, i, column, buffer);
		keyed[i] = (struct keyed_row){.item = rows->items[i], .index = i};
		if (kind == CELL_TEXT)
			keyed[i].text = strdup(cell.text != NULL ? cell.text : "");
		else
			keyed[i].number = figure_of(kind, &cell);
	}
	qsort(keyed, rows->count, sizeof *keyed, compare);
	for (size_t i = 0; i < rows->count; i++) {
		rows->items[i] = keyed[reverse ? rows->count - 1 - i : i].item;
		free(keyed[reverse ? rows->count - 1 - i : i].text);
	}
	free(keyed);
}
