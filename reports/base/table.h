/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report as one table, independent of the output format: facts above, rows, notes below.
 * Subcommands fill it and do not know the formats; the formats do not know the subcommands.
 *
 * Rows are filled cell by cell, in the order of the columns (common/figure-table.h).
 */
#ifndef TABLE_H
#define TABLE_H

#include "common/figure-table.h"
#include "common/summary.h"

struct table_fact {
	const char *key, *label; /* label NULL: not in the text */
	enum cell_kind kind;
	struct cell cell;
};

struct table {
	const char *name;  /* of the report; in JSON the key of the rows */
	const char *title; /* over the table in text */
	const struct table_column *columns;
	size_t column_count;
	uint64_t left_out, unmeasured; /* as in struct figure_table */
	struct cell *cells;            /* rows x columns */
	size_t cell_count, cell_room;
	struct table_fact *facts;
	size_t fact_count, fact_room;
	char *picture; /* lines below the rows, in text only, or NULL; owned by the table */
	char **notes;
	size_t note_count, note_room;
};

void table_init(struct table *table, const char *name, const char *title,
    const struct table_column *columns, size_t column_count);
void table_finish(struct table *table);

/* Sets the next cell. Texts are copied; NULL becomes "". */
void table_put_text(struct table *table, const char *text);
void table_put_number(struct table *table, uint64_t number); /* CELL_TIME, CELL_COUNT */
void table_put_delta(struct table *table, int64_t delta);
void table_put_ratio(struct table *table, double ratio); /* CELL_SHARE, CELL_FACTOR */

void table_add_text(struct table *table, const char *key, const char *label, const char *text);
void table_add_number(
    struct table *table, const char *key, const char *label, enum cell_kind kind, uint64_t number);
void table_add_ratio(
    struct table *table, const char *key, const char *label, enum cell_kind kind, double ratio);
void table_add_note(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline size_t table_rows(const struct table *table)
{
	return table->column_count != 0 ? table->cell_count / table->column_count : 0;
}

/*
 * Sorts the rows by the column with that key: figures descending, texts ascending, equals in their
 * previous order. Returns -1 if there is no such column.
 */
int table_sort(struct table *table, const char *key);

/*
 * columns: width of text. rows: most rows in text; 0: all. JSON is one object with the facts, the
 * rows under the report's name, and the notes; CSV contains only the rows. Both are always whole.
 */
void table_print(
    FILE *out, const struct table *table, enum summary_format format, int columns, size_t rows);

#endif
