/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout of text on a terminal: it handles columns and characters, and knows no figures. */
#include "common/terminal-text.h"

#include <limits.h>
#include <string.h>

#include "common/utf8.h"

#define LEFT_OF_NAME 4 /* columns that must remain of a name that is cut */

int text_next_column(const char **text, const char **shown, int *bytes)
{
	const char *start = *text;
	uint32_t character = utf8_next(text);

	if (character == 0)
		return -1;
	*shown = start;
	*bytes = (int)(*text - start);
	if (character != UTF8_REPLACEMENT && !utf8_is_unsafe(character))
		return utf8_columns(character);
	*shown = "?";
	*bytes = 1;
	return 1;
}

int text_width(const char *text)
{
	const char *shown;
	int bytes, columns, width = 0;

	while ((columns = text_next_column(&text, &shown, &bytes)) >= 0)
		width += columns;
	return width;
}

/* Prints as many characters as fit; returns the columns used. */
static int print_columns(FILE *out, const char *text, int width)
{
	const char *shown;
	int bytes, columns, used = 0;

	while (
	    (columns = text_next_column(&text, &shown, &bytes)) >= 0 && used + columns <= width) {
		fwrite(shown, 1, (size_t)bytes, out);
		used += columns;
	}
	return used;
}

void text_print_plain(FILE *out, const char *text)
{
	print_columns(out, text, INT_MAX);
}

void text_print_fact(FILE *out, const char *label, int width, const char *text)
{
	fprintf(out, "%-*s", width, label);
	text_print_plain(out, text);
	fputc('\n', out);
}

/* Returns whether everything before a name in parentheses fits, with a little of the name. */
static int can_cut_name(const char *text, int width)
{
	const char *open = strchr(text, '('), *shown;
	int bytes, columns, used = 0;

	if (!open)
		return 0;
	while (text < open && (columns = text_next_column(&text, &shown, &bytes)) >= 0)
		used += columns;
	return used + LEFT_OF_NAME <= width;
}

void text_print_fitted(FILE *out, const char *text, int width, int cut_end)
{
	int needed = text_width(text);
	int used = 0;

	if (needed <= width) {
		used = print_columns(out, text, width);
	} else if (cut_end || can_cut_name(text, width)) {
		used = print_columns(out, text, width - 1);
		fputc('~', out);
		used++;
	} else {
		const char *shown;
		int bytes;

		while (needed > width - 1)
			needed -= text_next_column(&text, &shown, &bytes);
		fputc('~', out);
		used = 1 + print_columns(out, text, width - 1);
	}
	fprintf(out, "%*s", width > used ? width - used : 0, "");
}

void text_print_bar(FILE *out, double share, int width)
{
	int filled = share < 0 ? 0 : (int)(share * width + 0.5);

	if (share > 0 && filled == 0)
		filled = 1;
	for (int i = 0; i < filled && i < width; i++)
		fputc('#', out);
}

/* The same as print_columns(), but prints nothing if out is NULL. */
static int put_columns(FILE *out, const char *text, int width)
{
	return out ? print_columns(out, text, width) : width;
}

int text_print_wrapped(
    FILE *out, const char *first_indent, const char *indent, const char *sentence, int width)
{
	int used = (int)strlen(first_indent);
	int at_start = 1, lines = 1;

	if (out)
		fputs(first_indent, out);
	while (*sentence) {
		char word[TEXT_SIZE];
		size_t length = strcspn(sentence, " ");
		size_t kept = length < sizeof(word) ? length : sizeof(word) - 1;
		int columns;

		memcpy(word, sentence, kept);
		word[kept] = '\0';
		columns = text_width(word);
		if (!at_start && used + 1 + columns > width) {
			if (out)
				fprintf(out, "\n%s", indent);
			used = (int)strlen(indent);
			lines++;
		} else if (!at_start) {
			used += put_columns(out, " ", 1);
		}
		used += put_columns(out, word, columns);
		at_start = 0;
		sentence += length + strspn(sentence + length, " ");
	}
	if (out)
		fputc('\n', out);
	return lines;
}
