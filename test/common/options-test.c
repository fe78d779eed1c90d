/* SPDX-License-Identifier: BSD-3-Clause */
/* Option tables: what words mean, what mistakes are answered with, and what --help shows. */
#include "common/option-table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { USE_ONE = 1, USE_OTHER = 2, USE_ANY = USE_ONE | USE_OTHER };
enum form { FORM_NONE, FORM_TEXT, FORM_JSON, FORM_CSV };

struct options {
	bool verbose;
	enum form form;
	int target;
	const char *output;
	size_t rows;
};

static bool read_rows(void *field, const char *value, struct option_reading *reading)
{
	char *end;

	*(size_t *)field = strtoul(value, &end, 10);
	return *end == '\0' && end != value ? true : option_expected(reading, "expected a number");
}

#define FIELD(name) offsetof(struct options, name)

static const struct option_row rows[] = {
    {USE_ANY, 'v', "--verbose", NULL, "say more", option_set_flag, FIELD(verbose)},
    {USE_ANY, 0, "--format", "FORMAT", "text, json or csv", option_set_choice, FIELD(form),
	.choices = "text|json|csv", .constant = FORM_TEXT},
    {USE_ONE, 0, "--list", "text|json", "list", option_set_choice, FIELD(form),
	.choices = "text|json", .constant = FORM_TEXT, .can_lack_a_value = true},
    {USE_OTHER, 0, "--seven", NULL, "seven", option_set_constant, FIELD(target), .constant = 7},
    {USE_ANY, 'o', "--output", "FILE", "write to FILE", option_set_text, FIELD(output),
	.expected = "a file name"},
    {USE_ANY, 'n', "--rows", "N", "rows", read_rows, FIELD(rows)},
};

static const struct option_table one = {rows, sizeof(rows) / sizeof(rows[0]), USE_ONE,
				     .program = "one"},
				 other = {rows, sizeof(rows) / sizeof(rows[0]), USE_OTHER,
				     .program = "prog", .subcommand = "other", .one_word = true};

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static int read_words(const struct option_table *table, struct options *options, const char *first,
    const char *second)
{
	const char *words[] = {first, second, NULL};
	char *error = NULL;
	int taken = option_read(table, words, options, &error);

	EXPECT(error == NULL);
	return taken;
}

static void check_values(void)
{
	struct options options = {0};

	EXPECT(read_words(&one, &options, "--verbose", "x") == 1 && options.verbose);
	EXPECT(read_words(&one, &options, "--format=json", "x") == 1 && options.form == FORM_JSON);
	EXPECT(read_words(&one, &options, "--format", "csv") == 2 && options.form == FORM_CSV);
	EXPECT(read_words(&one, &options, "--list", "json") == 1 && options.form == FORM_TEXT);
	EXPECT(read_words(&one, &options, "--list=json", NULL) == 1 && options.form == FORM_JSON);
	EXPECT(read_words(&other, &options, "--seven", NULL) == 1 && options.target == 7);
	EXPECT(read_words(&one, &options, "-o", "a=b") == 2 && strcmp(options.output, "a=b") == 0);
	EXPECT(read_words(&one, &options, "-oc", "d") == 1 && strcmp(options.output, "c") == 0);
	EXPECT(read_words(&one, &options, "-n12", NULL) == 1 && options.rows == 12);
	EXPECT(read_words(&one, &options, "--seven", NULL) == 0);
	EXPECT(read_words(&one, &options, "--form", "csv") == 0);
	EXPECT(read_words(&one, &options, "-x", NULL) == 0);
	EXPECT(read_words(&one, &options, "-", NULL) == 0);
	EXPECT(read_words(&one, &options, "file", NULL) == 0);
}

static void check_mistake(const struct option_table *table, const char *word, const char *expected)
{
	const char *words[] = {word, NULL};
	struct options options = {0};
	char *error = NULL;

	if (option_read(table, words, &options, &error) == 0)
		error = option_describe_unknown(table, word);
	if (error == NULL || strcmp(error, expected) != 0) {
		fprintf(
		    stderr, "%s: %s\nexpected: %s\n", word, error ? error : "nothing", expected);
		exit(1);
	}
	free(error);
}

static void check_mistakes(void)
{
	check_mistake(
	    &one, "--output", "option '--output' needs a value: --output=FILE; see 'one --help'");
	check_mistake(
	    &one, "--output=", "option '--output=': expected a file name; see 'one --help'");
	check_mistake(&other, "--format=xml",
	    "option '--format=xml': expected text, json or csv; see 'prog other --help'");
	check_mistake(
	    &one, "--list=csv", "option '--list=csv': expected text or json; see 'one --help'");
	check_mistake(&one, "-nx", "option '--rows=x': expected a number; see 'one --help'");
	check_mistake(&one, "--verbose=1",
	    "option '--verbose=1' takes no value, expected --verbose; see 'one --help'");
	check_mistake(&one, "--fromat=csv",
	    "unknown option '--fromat' for 'one' (did you mean '--format'?); see 'one --help'");
	check_mistake(&one, "--seven", "unknown option '--seven' for 'one'; see 'one --help'");
	check_mistake(&one, "--else", "unknown option '--else' for 'one'; see 'one --help'");
	check_mistake(&one, "-z", "unknown option '-z' for 'one'; see 'one --help'");
}

static void check_help(void)
{
	static const char expected[] = "  -v, --verbose             say more\n"
				       "      --format=FORMAT       text, json or csv\n"
				       "      --list[=text|json]    list\n"
				       "  -o, --output=FILE         write to FILE\n"
				       "  -n, --rows=N              rows\n";
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	EXPECT(out != NULL);
	option_print_help(out, &one);
	fclose(out);
	if (strcmp(text, expected) != 0) {
		fprintf(stderr, "%s\nexpected:\n%s", text, expected);
		exit(1);
	}
	free(text);
}

int main(void)
{
	check_values();
	check_mistakes();
	check_help();
	return 0;
}
