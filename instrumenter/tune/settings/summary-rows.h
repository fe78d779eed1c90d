/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a summary in CSV, as libpomp writes it with POMP_SUMMARY_FORMAT=csv. */
#ifndef SUMMARY_ROWS_H
#define SUMMARY_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* The first columns. */
enum summary_column {
	SUMMARY_KIND,
	SUMMARY_NAME,
	SUMMARY_SUB_NAME,
	SUMMARY_FILE,
	SUMMARY_LINE,
	SUMMARY_END_LINE,
	SUMMARY_COUNT,
	SUMMARY_TIME,
	SUMMARY_SELF,
	SUMMARY_THREADS,
	SUMMARY_LEAST_WORK,
	SUMMARY_WORK,
	SUMMARY_MOST_WORK, /* of one thread */
	SUMMARY_COLUMNS
};

/* Begins the text as such a summary? */
bool summary_rows_begin(const char *text);

/*
 * Ends the line at its newline, and cuts its first columns out of it, as far as there are more
 * behind them. *next: the following line, or NULL. Returns how many.
 */
size_t summary_row_read(char *line, char *columns[SUMMARY_COLUMNS], char **next);

#endif
