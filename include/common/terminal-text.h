/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text of any language in the columns of a terminal: measured, cut, wrapped; and bars. Nothing here
 * allocates memory, because the summary is printed while the program ends.
 */
#ifndef COMMON_TERMINAL_TEXT_H
#define COMMON_TERMINAL_TEXT_H

#include <stdio.h>

/* Longer names and sentences may be cut. */
#define TEXT_SIZE 1024

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

/* Prints a fact in one line: the label, padded with blanks to width columns, and the text. */
void text_print_fact(FILE *out, const char *label, int width, const char *text);

/* Prints a text for a terminal: whatever would move the cursor, and invalid UTF-8, shows as '?'. */
void text_print_plain(FILE *out, const char *text);

/* Returns how many columns the text takes on a terminal. */
int text_width(const char *text);

/*
 * Prints the text, padded with blanks to width columns or cut to them; '~' marks the cut. A text
 * that is too long loses its end (cut_end), or the least useful part of "file.c:12 critical(name)":
 * the end of the name in parentheses, else the beginning of the file name.
 */
void text_print_fitted(FILE *out, const char *text, int width, int cut_end);

/*
 * Moves *text past its next character; *shown and *bytes are the text to print for it ('?' if it is
 * unsafe on a terminal). Returns the number of columns, or -1 at the end.
 */
int text_next_column(const char **text, const char **shown, int *bytes);

#endif
