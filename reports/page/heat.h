/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of shares as a picture with one square per cell: the larger the share, the fuller the
 * colour.
 */
#ifndef HEAT_H
#define HEAT_H

#include "page.h"

enum { PAGE_HEAT_ROWS = 64, PAGE_HEAT_COLUMNS = 64 }; /* more items share a row or column */

/*
 * `count` items in a row of `places` places; each place holds `size` items, the last may hold
 * fewer.
 */
struct page_fold {
	size_t count, size, places;
};

struct page_fold page_fold(size_t count, size_t most);

/* The place of an item. */
static inline size_t page_fold_place(const struct page_fold *fold, size_t index)
{
	return index / fold->size;
}

struct page_heat {
	const char *css, *label; /* label: a description for those who cannot see the picture */
	struct page_fold rows, columns;
	const char *row, *several_rows, *column, *several_columns; /* "rank", "ranks", ... */
	const double *shares; /* rows x columns, 0 to 1; negative: no square */
	void *context;
	/* Writes the figures of a square, after the names of its row and column. */
	void (*describe)(const struct page *page, void *context, size_t row, size_t column);
};

void page_write_heat(const struct page *page, const struct page_heat *heat);

#endif
