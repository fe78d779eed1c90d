/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of a table of shares: a square for each, the fuller its colour the more. */
#ifndef HEAT_H
#define HEAT_H

#include "page.h"

enum { HTML_HEAT_ROWS = 64, HTML_HEAT_COLUMNS = 64 }; /* more share a row or column */

/* So many things in a row of so many places: place i holds those from html_fold_begin(i) on. */
struct html_fold {
	size_t count, places;
};

struct html_fold html_fold(size_t count, size_t most);

static inline size_t html_fold_begin(const struct html_fold *fold, size_t place)
{
	return fold->count * place / fold->places;
}

/* The inverse. */
static inline size_t html_fold_place(const struct html_fold *fold, size_t index)
{
	return ((index + 1) * fold->places + fold->count - 1) / fold->count - 1;
}

/* "rank 3" or "ranks 4 to 7", in memory of the caller's. */
char *html_fold_name(
    const struct html_fold *fold, size_t place, const char *one, const char *several);

struct html_heat {
	const char *css, *label; /* label: what it shows, for those who do not see it */
	struct html_fold rows, columns;
	const char *row, *several_rows, *column, *several_columns; /* "rank", "ranks", ... */
	const double *shares; /* rows x columns: 0 to 1, negative for no square */
	void *context;
	/* Writes the figures of a square, after the names of its row and column. */
	void (*describe)(const struct html *html, void *context, size_t row, size_t column);
};

void html_write_heat(const struct html *html, const struct html_heat *heat);

#endif
