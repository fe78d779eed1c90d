/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of `ompinst top`: processes, and of one process its threads, regions, locks, what
 * was measured, and the lines at which samples were taken. Text, JSON, CSV and the view in the
 * terminal have the same columns.
 */
#ifndef TOP_TABLES_H
#define TOP_TABLES_H

#include "common/figure-table.h"
#include "sampled-program.h"

/* The rows of a table, in the order in which they are printed. */
struct top_rows {
	uint64_t stuck_after;          /* ns: waits that are unchanged for so long are shown */
	const struct program *program; /* of threads, regions and locks */
	const void **items;
	size_t count, room;
};

enum top_table {
	TOP_PROCESSES,
	TOP_THREADS,
	TOP_REGIONS,
	TOP_LOCKS,
	TOP_MEASURED,
	TOP_LINES,
	TOP_TABLES
};

/* The table of such rows; `rows` has to stay. */
struct figure_table top_table_of(enum top_table which, const struct top_rows *rows);

/* Fills in the rows of a program's table; false: no memory. */
bool top_rows_of_program(
    struct top_rows *rows, enum top_table which, const struct program *program);

/* Adds one row; false: no memory. */
bool top_rows_add(struct top_rows *rows, const void *item);

/*
 * Sorts by a column: figures from the largest, texts from the smallest; `reverse` the other way
 * round. What is equal keeps its order.
 */
void top_rows_sort(struct top_rows *rows, enum top_table which, size_t column, bool reverse);

void top_rows_finish(struct top_rows *rows);

#endif
