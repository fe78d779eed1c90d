/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables as text, for the summary and for other reports of the same look: column widths follow what
 * the cells hold, and the least important columns are left out when the line gets too narrow. Cells
 * are made on demand, twice, so that printing needs no memory of its own (it happens while the
 * program ends).
 */
#ifndef COMMON_TEXT_TABLE_H
#define COMMON_TEXT_TABLE_H

#include <stdio.h>

#define TEXT_CELL_SIZE   1024
#define TEXT_COLUMNS_MAX 20

struct text_column {
	const char *title;
	int importance; /* the least important go first; 0: never left out */
};

/*
 * A table of one left-aligned name column, which gets what the others leave, and right-aligned
 * figures. cell() writes at most TEXT_CELL_SIZE bytes; column 0 is the name. A name that is too
 * long loses its end (cut_end), or what it can best miss of "file.c:12 critical(name)": the end of
 * the name in parentheses, or else the front of the file's.
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
 * Writes the sentence broken at blanks, no line wider than width, each line after the first
 * indented. Returns how many lines it takes; without out it only counts them.
 */
int text_print_wrapped(
    FILE *out, const char *first_indent, const char *indent, const char *sentence, int width);

/* A line of '#' for share, rounded to whole columns; what is not zero shows at least one. */
void text_print_bar(FILE *out, double share, int width);

/* Prints a text for a terminal: what would move the cursor or is no valid UTF-8 shows as '?'. */
void text_print_plain(FILE *out, const char *text);

/* How many columns the text takes on a terminal. */
int text_width(const char *text);

/* Prints text, cut to width columns ('~' stands where it was cut), and fills up with blanks. */
void text_print_fitted(FILE *out, const char *text, int width, int cut_end);

/*
 * Moves *text behind its next character: what to show for it ('?' for what no terminal should get)
 * and how many columns that takes. -1 at the end.
 */
int text_next_column(const char **text, const char **shown, int *bytes);

#endif
