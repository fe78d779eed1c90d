/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables as text, for the summary and for other reports with the same look. Column widths follow
 * the content of the cells, and the least important columns are left out when the line gets too
 * narrow. Cells are made on demand, twice, so printing allocates no memory (it happens while the
 * program ends).
 */
#ifndef COMMON_TEXT_TABLE_H
#define COMMON_TEXT_TABLE_H

#include <stdio.h>

#define TEXT_CELL_SIZE   1024
#define TEXT_COLUMNS_MAX 20

struct text_column {
	const char *title;
	int importance; /* the least important are left out first; 0: never left out */
};

/*
 * A table with one left-aligned name column, which gets the width that the others leave, and
 * right-aligned figures. cell() writes at most TEXT_CELL_SIZE bytes; column 0 is the name. A name
 * that is too long loses its end (cut_end), or the least useful part of "file.c:12 critical(name)":
 * the end of the name in parentheses, else the beginning of the file name.
 */
struct text_table {
	const struct text_column *columns;
	int column_count;
	size_t rows;
	int cut_end;
	void (*cell)(const void *context, size_t row, int column, char *text);
	const void *context;
};

void text_print_table(FILE *out, const struct text_table *table, int width);

/*
 * Writes the sentence wrapped at blanks, with no line wider than width. Every line after the first
 * is indented. Returns the number of lines; if out is NULL, it only counts them.
 */
int text_print_wrapped(
    FILE *out, const char *first_indent, const char *indent, const char *sentence, int width);

/*
 * Prints a line of '#' for the share, rounded to whole columns; a share above zero shows at least
 * one.
 */
void text_print_bar(FILE *out, double share, int width);

/* Prints a text for a terminal: whatever would move the cursor, and invalid UTF-8, shows as '?'. */
void text_print_plain(FILE *out, const char *text);

/* Returns how many columns the text takes on a terminal. */
int text_width(const char *text);

/* Prints the text, cut to width columns ('~' marks the cut) or padded with blanks. */
void text_print_fitted(FILE *out, const char *text, int width, int cut_end);

/*
 * Moves *text past its next character; *shown and *bytes are the text to print for it ('?' if it is
 * unsafe on a terminal). Returns the number of columns, or -1 at the end.
 */
int text_next_column(const char **text, const char **shown, int *bytes);

#endif
