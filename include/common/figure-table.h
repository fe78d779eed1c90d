/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of the summary and of reports: one list of columns says what text, JSON and CSV contain
 * and how figures look there. Text has one left-aligned column of names, which gets the width that
 * the others leave, and right-aligned figures; widths follow the content, and the least important
 * columns are left out when the line gets too narrow.
 *
 * Cells are made on demand, in text twice, so that printing allocates no memory (the summary is
 * printed while the program ends).
 */
#ifndef COMMON_FIGURE_TABLE_H
#define COMMON_FIGURE_TABLE_H

#include <stdbool.h>

#include "common/summary-figures.h"
#include "common/terminal-text.h"

struct csv_writer;
struct json_writer;

#define TABLE_COLUMNS_MAX 64
#define TABLE_NO_DELTA    INT64_MIN

enum cell_kind {
	CELL_TEXT,
	CELL_TIME,   /* ns */
	CELL_DELTA,  /* ns, may be negative */
	CELL_COUNT,  /* a whole number */
	CELL_SHARE,  /* 0.25 is 25 % */
	CELL_FACTOR, /* 1.5 */
};

/*
 * A value that was not measured is NULL, SUMMARY_NOT_MEASURED, TABLE_NO_DELTA or a negative ratio;
 * it is printed as "n/a", null, or empty.
 */
struct cell {
	const char *text;
	union {
		uint64_t number;
		int64_t delta;
		double ratio;
	};
};

struct table_column {
	const char *key;   /* JSON and CSV; NULL: only in text */
	const char *title; /* text; NULL: not in text. The first title is that of the names */
	enum cell_kind kind;
	int importance; /* text drops the least important first; 0: never dropped */
	size_t member;  /* for cell(), of rows that are structures: the value's offset */
};

struct figure_table {
	const char *title; /* above the table in text */
	const char *rest;  /* what "... and 3 more" in text is followed by, such as " regions" */
	const struct table_column *columns;
	size_t column_count; /* at most TABLE_COLUMNS_MAX are printed */
	size_t rows;
	size_t text_rows; /* at most so many in text */
	bool cut_end;     /* how text cuts names: see text_print_fitted() */
	/* A text may be written into the buffer. */
	struct cell (*cell)(const void *context, size_t row, size_t column, char buffer[TEXT_SIZE]);
	const void *context;
	/* Columns that text does not have, and that no form has: a bit for each. */
	uint64_t left_out, unmeasured;
};

/* Returns whether the cell has a value. */
bool cell_is_measured(enum cell_kind kind, const struct cell *cell);

/* Writes the cell for people, and for programs. */
void cell_format(char text[TEXT_SIZE], enum cell_kind kind, const struct cell *cell);
void cell_put_json(
    struct json_writer *json, const char *key, enum cell_kind kind, const struct cell *cell);
void cell_put_csv(struct csv_writer *csv, enum cell_kind kind, const struct cell *cell);

void table_print_text(FILE *out, const struct figure_table *table, int width);

/* Writes the columns with keys into an open object, or one object in a line for each row. */
void table_put_json_row(struct json_writer *json, const struct figure_table *table, size_t row);
void table_put_json_rows(struct json_writer *json, const struct figure_table *table);

/* Writes a row of keys, then the rows. Each column needs a key. */
void table_put_csv(struct csv_writer *csv, const struct figure_table *table);

#endif
