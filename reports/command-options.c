/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line. One table of options is what is parsed and what --help prints; a command takes
 * the options whose bits it names.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"

#define WIDTH_MIN     60
#define WIDTH_DEFAULT 80
#define WIDTH_MAX     1000

/* Sets the option from its value; NULL, or what was expected instead. */
typedef const char *option_parser(
    struct options *options, const struct command *command, const char *value);

static const char *const format_names[] = {"text", "json", "csv"};

static const char *parse_format(
    struct options *options, const struct command *command, const char *value)
{
	for (unsigned i = 0; i < sizeof(format_names) / sizeof(format_names[0]); i++) {
		if (strcmp(value, format_names[i]) == 0 && command->formats & 1u << i) {
			options->format = (enum summary_format)i;
			return NULL;
		}
	}
	return command->formats & 1u << SUMMARY_CSV ? "text, json or csv" : "text or json";
}

static int read_number(const char *value, long min, long max, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(value, &end, 10);
	return value[0] && !end[0] && errno == 0 && *number >= min && *number <= max ? 0 : -1;
}

static const char *parse_width(
    struct options *options, const struct command *command, const char *value)
{
	long width;

	(void)command;
	if (read_number(value, WIDTH_MIN, WIDTH_MAX, &width) != 0)
		return "a number of columns from 60 to 1000";
	options->width = (int)width;
	return NULL;
}

static const char *parse_rows(
    struct options *options, const struct command *command, const char *value)
{
	long rows;

	(void)command;
	if (read_number(value, 0, LONG_MAX, &rows) != 0)
		return "a number of rows, 0 for all";
	options->rows = (size_t)rows;
	return NULL;
}

static const char *parse_output(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->output = value;
	return value[0] ? NULL : "a file name";
}

static const struct option_row {
	unsigned bit;
	char letter; /* or 0 */
	const char *name, *argument;
	option_parser *parse;
	const char *help;
} rows[] = {
    {OPTION_FORMAT, 0, "--format", "FORMAT", parse_format, NULL},
    {OPTION_WIDTH, 'w', "--width", "COLUMNS", parse_width,
	"widest line of the text (default: the terminal's width, else 80)"},
    {OPTION_ROWS, 'n', "--rows", "N", parse_rows,
	"rows per table of the text, 0 for all (default: one screen)"},
    {OPTION_OUTPUT, 'o', "--output", "FILE", parse_output, "write to FILE"},
};

static void print_option(
    FILE *out, char letter, const char *name, const char *argument, const char *help)
{
	char left[64];

	if (letter)
		snprintf(left, sizeof(left), "-%c, %s%s%s", letter, name, argument[0] ? "=" : "",
		    argument);
	else
		snprintf(left, sizeof(left), "    %s%s%s", name, argument[0] ? "=" : "", argument);
	fprintf(out, "  %-24s %s\n", left, help);
}

void options_print_help(FILE *out, const struct command *command)
{
	fprintf(out, "Usage: ompreport %s [options] ARCHIVE\n\n%s.\n\n", command->name,
	    command->purpose);
	fputs("ARCHIVE is an experiment folder or its .otf2 file.\n\nOptions:\n", out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct option_row *row = &rows[i];
		const char *help = row->help;

		if (!(command->options & row->bit))
			continue;
		if (row->bit == OPTION_FORMAT)
			help = command->formats & 1u << SUMMARY_CSV ? "text (default), json or csv"
								    : "text (default) or json";
		print_option(out, row->letter, row->name, row->argument, help);
	}
	print_option(out, 'h', "--help", "", "show this help");
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

static const struct option_row *find_row(const struct command *command, const char *argument)
{
	size_t length = strcspn(argument, "=");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!(command->options & rows[i].bit))
			continue;
		if (argument[1] != '-' && rows[i].letter == argument[1])
			return &rows[i];
		if (strlen(rows[i].name) == length && strncmp(argument, rows[i].name, length) == 0)
			return &rows[i];
	}
	return NULL;
}

/* The value behind "--name=", "-x", or in the next argument, which is then taken; NULL: none. */
static const char *value_of(char **argv, int argc, int *at)
{
	const char *argument = argv[*at];
	const char *equal = strchr(argument, '=');

	if (argument[1] == '-' && equal)
		return equal + 1;
	if (argument[1] != '-' && argument[2])
		return argument + 2;
	return *at + 1 < argc ? argv[++*at] : NULL;
}

static int usage_error(const struct command *command, const char *what, const char *value)
{
	fprintf(stderr, "ompreport %s: %s '%s'; see ompreport %s --help\n", command->name, what,
	    value, command->name);
	return 3;
}

static int read_option(
    struct options *options, const struct command *command, int argc, char **argv, int *at)
{
	const struct option_row *row = find_row(command, argv[*at]);
	const char *value, *expected;

	if (!row)
		return usage_error(command, "unknown option", argv[*at]);
	value = value_of(argv, argc, at);
	if (!value)
		return usage_error(command, "no value for option", argv[*at]);
	expected = row->parse(options, command, value);
	if (!expected)
		return 0;
	fprintf(stderr, "ompreport %s: %s='%s': expected %s\n", command->name, row->name, value,
	    expected);
	return 3;
}

int options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	int only_paths = 0;

	*options = (struct options){.width = terminal_width(), .rows = SUMMARY_ROWS_SCREEN};
	for (int i = 0; i < argc; i++) {
		int status = 0;

		if (!only_paths && strcmp(argv[i], "--") == 0) {
			only_paths = 1;
		} else if (!only_paths &&
			   (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
			options_print_help(stdout, command);
			return 1;
		} else if (!only_paths && argv[i][0] == '-' && argv[i][1]) {
			status = read_option(options, command, argc, argv, &i);
		} else if (options->path) {
			status = usage_error(command, "one archive at a time; what is", argv[i]);
		} else {
			options->path = argv[i];
		}
		if (status)
			return status;
	}
	if (!options->path) {
		fprintf(stderr, "ompreport %s: which archive? see ompreport %s --help\n",
		    command->name, command->name);
		return 3;
	}
	return 0;
}
