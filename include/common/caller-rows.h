/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a summary's rows of lines of Python that called parallel regions: libpomp from what it
 * counted, ompreport from an archive. Texts are not copied; they must stay valid as long as the
 * summary.
 */
#ifndef COMMON_CALLER_ROWS_H
#define COMMON_CALLER_ROWS_H

#include "common/figure-table.h"
#include "common/summary.h"

#include <stdbool.h>

/* The rows' room while they are made; zero at first. */
struct caller_rows {
	size_t room;
};

/*
 * Returns whether a file of Python belongs to an installed library: to a package or the standard
 * library. Such a file is in a folder that Python itself names so, or is in no folder at all
 * ("<frozen runpy>").
 */
bool caller_is_library(const char *file);

/* Adds a row, or its figures to the equal one. False when memory ran out. */
bool caller_rows_add(
    struct summary *summary, struct caller_rows *rows, const struct summary_caller *row);

/* Orders all rows, longest first. */
void caller_rows_finish(struct summary *summary);
void caller_rows_free(struct summary *summary);

/* Returns whether the line called the region by way of another one. */
bool caller_is_called_by_way(const struct summary_caller *row);

/* The title of the column for those; returns as a bit that the text has no such column: no row has
   any. */
#define CALLER_WAY_TITLE "by way of"
uint64_t caller_choose_columns(
    const struct table_column *columns, size_t count, const struct summary *summary);

#define CALLER_REGION_SIZE 1024
/* Writes the region as summary_format_region() does; returns buffer. */
char *caller_region(char *buffer, size_t size, const struct summary_caller *row);

#endif
