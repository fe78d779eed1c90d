/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layout of the text form: tables, cut and wrapped text, bars. It handles columns and characters,
 * and does not know what the figures mean.
 */
#include "common/text-table.h"

#include <limits.h>
#include <string.h>

#include "common/utf8.h"

#define NAME_WIDTH_MIN  18
#define NAME_WIDTH_GOOD 26 /* leave out a column before names get shorter than this */
#define NAME_WIDTH_WIDE 44
#define LEFT_OF_NAME    4 /* columns that must remain of a name that is cut */
#define GAP             1
#define MARGIN          1

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
		char word[TEXT_CELL_SIZE];
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

/*
 * Chooses the widths of all columns, 0 for a column that is left out. The name column gets the
 * rest, but on a wide page only as much as it can use: figures far from their names are hard to
 * read.
 */
static void choose_widths(const struct text_table *table, int width, int widths[])
{
	char text[TEXT_CELL_SIZE];
	int rest, name;

	for (int column = 0; column < table->column_count; column++) {
		widths[column] = text_width(table->columns[column].title);
		for (size_t row = 0; row < table->rows; row++) {
			table->cell(table->context, row, column, text);
			if (text_width(text) > widths[column])
				widths[column] = text_width(text);
		}
	}
	name = widths[0];
	for (;;) {
		int least = 0;

		rest = width - MARGIN;
		for (int column = 1; column < table->column_count; column++) {
			if (widths[column] == 0)
				continue;
			rest -= widths[column] + GAP;
			if (table->columns[column].importance > 0 &&
			    (least == 0 || table->columns[column].importance <
					       table->columns[least].importance))
				least = column;
		}
		if (least == 0 || rest >= name || rest >= NAME_WIDTH_GOOD)
			break;
		widths[least] = 0;
	}
	if (rest < name && rest < NAME_WIDTH_MIN)
		rest = NAME_WIDTH_MIN;
	name = name > NAME_WIDTH_WIDE ? name : NAME_WIDTH_WIDE;
	widths[0] = rest < name ? rest : name;
}

static void print_figure(FILE *out, const char *text, int width)
{
	fprintf(out, "%*s", GAP + width - text_width(text), "");
	print_columns(out, text, width);
}

void text_print_table(FILE *out, const struct text_table *table, int width)
{
	char text[TEXT_CELL_SIZE];
	int widths[TEXT_COLUMNS_MAX] = {0};

	choose_widths(table, width, widths);
	fprintf(out, "%*s", MARGIN, "");
	text_print_fitted(out, table->columns[0].title, widths[0], 1);
	for (int column = 1; column < table->column_count; column++) {
		if (widths[column])
			print_figure(out, table->columns[column].title, widths[column]);
	}
	fputc('\n', out);
	for (size_t row = 0; row < table->rows; row++) {
		table->cell(table->context, row, 0, text);
		fprintf(out, "%*s", MARGIN, "");
		text_print_fitted(out, text, widths[0], table->cut_end);
		for (int column = 1; column < table->column_count; column++) {
			if (!widths[column])
				continue;
			table->cell(table->context, row, column, text);
			print_figure(out, text, widths[column]);
		}
		fputc('\n', out);
	}
}
