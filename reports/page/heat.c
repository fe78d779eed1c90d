/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of shares as squares in SVG. Each square has its figures as a title, which browsers show
 * under the pointer without JavaScript. A square that is not empty is never too faint to be seen.
 */
#include <stdlib.h>

#include "heat.h"
#include "memory.h"

enum { WIDTH = 20, HEIGHT = 18, GAP = 2, NAMES = 130, HEAD = 20, COLUMN_NAMES = 16 };

#define FAINTEST 0.06

struct page_fold page_fold(size_t count, size_t most)
{
	size_t size = (count + most - 1) / most;

	size = size ? size : 1;
	return (struct page_fold){count, size, (count + size - 1) / size};
}

/* The first item of a place. */
static size_t first_of(const struct page_fold *fold, size_t place)
{
	size_t begin = place * fold->size;

	return begin < fold->count ? begin : fold->count;
}

/* "rank 3" or "ranks 4 to 7". The caller frees it. */
static char *name_of(
    const struct page_fold *fold, size_t place, const char *one, const char *several)
{
	size_t begin = first_of(fold, place), end = first_of(fold, place + 1);

	if (end - begin < 2)
		return memory_print("%s %zu", one, begin);
	return memory_print("%s %zu to %zu", several, begin, end - 1);
}

static void write_square(
    const struct page *page, const struct page_heat *heat, size_t row, size_t column)
{
	double share = heat->shares[row * heat->columns.places + column];
	char *row_name = name_of(&heat->rows, row, heat->row, heat->several_rows);
	char *column_name = name_of(&heat->columns, column, heat->column, heat->several_columns);

	fprintf(page->out,
	    "<rect class=\"%s\" x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" "
	    "fill-opacity=\"%.2f\"><title>%s, %s: ",
	    heat->css, NAMES + column * WIDTH, HEAD + row * HEIGHT, WIDTH - GAP, HEIGHT - GAP,
	    share > 0 && share < FAINTEST ? FAINTEST : share, row_name, column_name);
	heat->describe(page, heat->context, row, column);
	fputs("</title></rect>\n", page->out);
	free(row_name);
	free(column_name);
}

static void write_row(const struct page *page, const struct page_heat *heat, size_t row)
{
	char *name = name_of(&heat->rows, row, heat->row, heat->several_rows);

	fprintf(page->out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%s</text>\n", NAMES - 8,
	    HEAD + row * HEIGHT + HEIGHT - 5, name);
	free(name);
	for (size_t column = 0; column < heat->columns.places; column++) {
		if (heat->shares[row * heat->columns.places + column] >= 0)
			write_square(page, heat, row, column);
	}
}

void page_write_heat(const struct page *page, const struct page_heat *heat)
{
	size_t width = NAMES + heat->columns.places * WIDTH;
	size_t height = HEAD + heat->rows.places * HEIGHT;
	size_t step = (heat->columns.places + COLUMN_NAMES - 1) / COLUMN_NAMES;

	fprintf(page->out,
	    "<div class=\"scroll heat\">\n<svg width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu "
	    "%zu\" role=\"img\" aria-label=\"%s\">\n<text x=\"%d\" y=\"%d\" "
	    "text-anchor=\"end\">%s</text>\n",
	    width, height, width, height, heat->label, NAMES - 8, HEAD - 6, heat->several_columns);
	for (size_t column = 0; column < heat->columns.places; column += step)
		fprintf(page->out, "<text x=\"%zu\" y=\"%d\">%zu</text>\n", NAMES + column * WIDTH,
		    HEAD - 6, first_of(&heat->columns, column));
	for (size_t row = 0; row < heat->rows.places; row++)
		write_row(page, heat, row);
	fputs("</svg>\n</div>\n", page->out);
}
