/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements table-columns.h. */
#include "table-columns.h"

static const char *unit_of(enum cell_kind kind)
{
	return kind == CELL_TIME || kind == CELL_DELTA ? "ns" : "";
}

static int type_of(enum cell_kind kind)
{
	switch (kind) {
	case CELL_TEXT:
		return OMPREPORT_TEXT;
	case CELL_DELTA:
		return OMPREPORT_DIFFERENCE;
	case CELL_SHARE:
	case CELL_FACTOR:
		return OMPREPORT_RATIO;
	default:
		return OMPREPORT_COUNT;
	}
}

static void put_cell(struct column *column, enum cell_kind kind, const struct cell *cell)
{
	if (kind == CELL_TEXT)
		column_put_text(column, cell->text);
	else if (kind == CELL_DELTA)
		column_put_difference(column, cell->delta);
	else if (kind == CELL_SHARE || kind == CELL_FACTOR)
		column_put_ratio(
		    column, cell_is_measured(kind, cell) ? cell->ratio : __builtin_nan(""));
	else
		column_put_count(column, cell->number);
}

void table_columns_take(void *context, const struct table *table)
{
	struct columns *columns = *(struct columns **)context = columns_new();
	size_t rows = table_rows(table);

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *shown = &table->columns[i];

		if (!shown->key || (i < 64 && table->unmeasured >> i & 1))
			continue;
		struct column *column =
		    columns_add(columns, shown->key, unit_of(shown->kind), type_of(shown->kind));

		for (size_t row = 0; row < rows; row++)
			put_cell(column, shown->kind, &table->cells[row * table->column_count + i]);
	}
	for (size_t i = 0; i < table->fact_count; i++) {
		const struct table_fact *fact = &table->facts[i];

		put_cell(
		    columns_add_fact(columns, fact->key, unit_of(fact->kind), type_of(fact->kind)),
		    fact->kind, &fact->cell);
	}
	for (size_t i = 0; i < table->note_count; i++)
		columns_add_note(columns, table->notes[i]);
}
