/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options by their table: finds the row, takes the value, and prints the messages and --help. The
 * row's function reads the value itself: one of those at the end of this file, or the program's
 * own.
 */
#include "common/option-table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest-word.h"

enum { HELP_COLUMN = 26 }; /* the column where the help of the rows begins, after two blanks */

const struct option_row *option_at(const struct option_table *table, size_t index)
{
	for (size_t i = 0; i < table->count; i++)
		if ((table->rows[i].uses & table->use) != 0 && index-- == 0)
			return &table->rows[i];
	return NULL;
}

/* Returns the length up to the '=' of "--name=value". */
static size_t length_of_name(const char *word)
{
	return strcspn(word, "=");
}

static bool is_option(const struct option_row *row, const char *word)
{
	size_t length = length_of_name(word);

	if (word[1] != '-')
		return word[1] != '\0' && word[1] == row->letter;
	return strncmp(word, row->name, length) == 0 && row->name[length] == '\0';
}

const struct option_row *option_find(const struct option_table *table, const char *word)
{
	const struct option_row *row;

	for (size_t i = 0; word[0] == '-' && (row = option_at(table, i)) != NULL; i++)
		if (is_option(row, word))
			return row;
	return NULL;
}

const char *option_find_similar(const struct option_table *table, const char *word)
{
	struct nearest_word nearest = {.written = word, .length = length_of_name(word)};
	const struct option_row *row;

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	for (size_t i = 0; i < table->count; i++)
		if (is_option(&table->rows[i], word))
			return NULL; /* spelt correctly, but for another use */
	for (size_t i = 0; (row = option_at(table, i)) != NULL; i++)
		nearest_word_offer(&nearest, row->name);
	return nearest.name;
}

/* Makes a message that ends with a reference to the help: a heap string, or NULL. */
__attribute__((format(printf, 2, 3))) static char *describe(
    const struct option_table *table, const char *format, ...)
{
	va_list arguments;
	char *what = NULL, *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&what, format, arguments) < 0)
		what = NULL;
	va_end(arguments);
	if (what == NULL || asprintf(&text, "%s; see '%s%s%s --help'", what, table->program,
				table->subcommand != NULL ? " " : "",
				table->subcommand != NULL ? table->subcommand : "") < 0)
		text = NULL;
	free(what);
	return text;
}

char *option_describe_unknown(const struct option_table *table, const char *word)
{
	const char *similar = option_find_similar(table, word);

	return describe(table, "unknown option '%.*s' for '%s%s%s'%s%s%s",
	    (int)length_of_name(word), word, table->program, table->subcommand ? " " : "",
	    table->subcommand ? table->subcommand : "", similar ? " (did you mean '" : "",
	    similar ? similar : "", similar ? "'?)" : "");
}

/*
 * Returns how many words are consumed, and the value among them: NULL for none. -1: a value is
 * missing.
 */
static int take_value(const struct option_table *table, const struct option_row *row,
    const char *const *words, const char **value)
{
	bool is_long = words[0][1] == '-';
	size_t length = is_long ? length_of_name(words[0]) : 2;

	*value = NULL;
	if (words[0][length] != '\0' && (row->value != NULL || is_long)) {
		*value = words[0] + length + is_long;
		return 1;
	}
	if (row->value == NULL || row->can_lack_a_value)
		return 1;
	if (table->one_word || words[1] == NULL)
		return -1;
	*value = words[1];
	return 2;
}

int option_read(
    const struct option_table *table, const char *const *words, void *options, char **error)
{
	const struct option_row *row = option_find(table, words[0]);
	struct option_reading reading = {.row = row};
	const char *value;

	if (row == NULL)
		return 0;
	int taken = take_value(table, row, words, &value);
	if (taken < 0) {
		*error = describe(
		    table, "option '%s' needs a value: %s=%s", words[0], row->name, row->value);
		return -1;
	}
	if (value != NULL && row->value == NULL) {
		*error =
		    describe(table, "option '%s' takes no value, expected %s", words[0], row->name);
		return -1;
	}
	if (row->read((char *)options + row->field, value, &reading))
		return taken;
	*error = describe(table, "option '%s%s%s': %s", row->name, value != NULL ? "=" : "",
	    value != NULL ? value : "",
	    reading.problem != NULL ? reading.problem : "out of memory");
	free(reading.problem);
	return -1;
}

int option_read_known(
    const struct option_table *table, const char *const *words, void *options, char **error)
{
	int taken = option_read(table, words, options, error);

	if (taken != 0)
		return taken;
	*error = option_describe_unknown(table, words[0]);
	return -1;
}

int option_read_leading(
    const struct option_table *table, const char *const *words, void *options, char **error)
{
	int count = 0;

	while (words[count] != NULL && words[count][0] == '-' && words[count][1] != '\0') {
		if (strcmp(words[count], "--") == 0)
			return count + 1;
		int taken = option_read_known(table, words + count, options, error);
		if (taken < 0)
			return -1;
		count += taken;
	}
	return count;
}

/* "-o, --output=FILE" or "--list[=text|json]". */
static void format_row(char *text, size_t size, const struct option_row *row, bool has_letters)
{
	char letter[8] = "";

	if (row->letter != 0)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	else if (has_letters)
		snprintf(letter, sizeof(letter), "    ");
	snprintf(text, size, "%s%s%s%s%s%s", letter, row->name, row->can_lack_a_value ? "[" : "",
	    row->value != NULL ? "=" : "", row->value != NULL ? row->value : "",
	    row->can_lack_a_value ? "]" : "");
}

void option_print_help(FILE *out, const struct option_table *table)
{
	const struct option_row *row;
	bool has_letters = false;
	char left[128];

	for (size_t i = 0; (row = option_at(table, i)) != NULL; i++)
		has_letters |= row->letter != 0;
	for (size_t i = 0; (row = option_at(table, i)) != NULL; i++) {
		format_row(left, sizeof(left), row, has_letters);
		fprintf(out, "  %-*s  %s\n", HELP_COLUMN - 2, left, row->help);
	}
}

bool option_expected(struct option_reading *reading, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&reading->problem, format, arguments) < 0)
		reading->problem = NULL;
	va_end(arguments);
	return false;
}

bool option_set_flag(void *field, const char *value, struct option_reading *reading)
{
	(void)value, (void)reading;
	*(bool *)field = true;
	return true;
}

bool option_set_constant(void *field, const char *value, struct option_reading *reading)
{
	(void)value;
	*(unsigned *)field = reading->row->constant;
	return true;
}

/* "expected text, json or csv" */
static bool expect_choice(struct option_reading *reading)
{
	const char *choice = reading->row->choices;
	char names[256] = "";
	size_t used = 0;

	while (*choice != '\0' && used < sizeof(names)) {
		size_t length = strcspn(choice, "|");
		bool last = choice[length] == '\0';
		const char *separator = used == 0 ? "" : last ? " or " : ", ";
		used += (size_t)snprintf(
		    names + used, sizeof(names) - used, "%s%.*s", separator, (int)length, choice);
		choice += length + !last;
	}
	return option_expected(reading, "expected %s", names);
}

bool option_set_choice(void *field, const char *value, struct option_reading *reading)
{
	unsigned number = reading->row->constant;

	for (const char *choice = reading->row->choices; *choice != '\0'; number++) {
		size_t length = strcspn(choice, "|");
		if (value == NULL ||
		    (strlen(value) == length && strncmp(value, choice, length) == 0)) {
			*(unsigned *)field = number;
			return true;
		}
		choice += length + (choice[length] == '|');
	}
	return expect_choice(reading);
}

bool option_set_text(void *field, const char *value, struct option_reading *reading)
{
	if (value[0] == '\0')
		return option_expected(reading, "expected %s",
		    reading->row->expected != NULL ? reading->row->expected
						   : "a value that is not empty");
	*(const char **)field = value;
	return true;
}
