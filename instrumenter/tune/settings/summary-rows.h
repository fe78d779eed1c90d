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
	SUMMARY_COLUMNS
};

/* Begins the text as such a summary? */
bool summary_rows_begin(const char *text);

/*
 * Ends the line at its newline, and cuts its first columns out of it. *next: the following line, or
 * NULL. False if the line has fewer columns, or more are not there.
 */
bool summary_row_read(char *line, char *columns[], size_t count, char **next);

#endif
