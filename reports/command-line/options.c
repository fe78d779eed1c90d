/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line. One table of options is what is parsed and what --help prints; a command takes
 * the options whose bits it names.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "option-parsers.h"
#include "common/nearest-word.h"

#define WIDTH_DEFAULT 80

static const struct option_row {
	unsigned bit;
	char letter;                 /* or 0 */
	const char *name, *argument; /* argument "": takes none */
	option_parser *parse;
	const char *help;
} rows[] = {
    {OPTION_FORMAT, 0, "--format", "FORMAT", option_parse_format, "text (default), json or csv"},
    {OPTION_WIDTH, 'w', "--width", "COLUMNS", option_parse_width,
	"widest line of the text (default: the terminal's width, else 80)"},
    {OPTION_ROWS, 'n', "--rows", "N", option_parse_rows,
	"rows per table of the text, 0 for all (default: one screen)"},
    {OPTION_SORT, 's', "--sort", "COLUMN", option_parse_sort,
	"order by a column, named as in --format=csv"},
    {OPTION_REGION, 'r', "--region", "NAME", option_parse_region,
	"only regions with NAME in \"file.c:12 for\"; *, ? and [] match"},
    {OPTION_THREAD, 't', "--thread", "THREAD", option_parse_thread,
	"only that thread, by number from 0 or by name"},
    {OPTION_THREAD, 0, "--rank", "RANK", option_parse_rank,
	"only that rank's threads, by number from 0"},
    {OPTION_TARGET, 0, "--perfetto", "", option_parse_perfetto,
	"protobuf for Perfetto's UI and trace_processor"},
    {OPTION_TARGET, 0, "--chrome", "", option_parse_chrome,
	"JSON for chrome://tracing and speedscope, for short traces"},
    {OPTION_TARGET, 0, "--flamegraph", "", option_parse_flamegraph,
	"folded stacks for flamegraph.pl, speedscope, inferno"},
    {OPTION_TARGET, 0, "--csv", "", option_parse_csv,
	"a line for each stay of a thread in a region"},
    {OPTION_WINDOW, 0, "--from", "TIME", option_parse_from,
	"leave out what is before; since the first event, 20ms"},
    {OPTION_WINDOW, 0, "--to", "TIME", option_parse_to, "leave out what is after"},
    {OPTION_MIN_DURATION, 0, "--min-duration", "TIME", option_parse_min_duration,
	"leave out shorter stays"},
    {OPTION_THRESHOLD, 0, "--threshold", "PERCENT", option_parse_threshold,
	"exit status 3 when the wall time or a region grew by more"},
    {OPTION_THRESHOLD, 0, "--min-change", "CHANGE", option_parse_min_change,
	"growth that decides nothing: 5ms, or of the thread time (default: 1%)"},
    {OPTION_SOURCE, 0, "--source", "", option_parse_source,
	"quote each region's line, where the source is at hand"},
    {OPTION_OMPP, 0, "--ompp", "", option_parse_ompp,
	"one row per region and thread, with ompP's column names"},
    {OPTION_FILTER, 0, "--filter", "", option_parse_filter,
	"print the proposal as a file for POMP_FILTERING_FILE"},
    {OPTION_MATRIX, 0, "--matrix", "", option_parse_matrix,
	"messages by sender and receiver in place of waits"},
    {OPTION_OUTPUT, 'o', "--output", "FILE", option_parse_output, "write to FILE"},
};

bool options_describe(const struct command *command, size_t index, struct option_text *text)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct option_row *row = &rows[i];

		if (!(command->options & row->bit) || index-- > 0)
			continue;
		*text = (struct option_text){row->letter, row->name, row->argument, row->help};
		return true;
	}
	*text = (struct option_text){'h', "--help", "", "show this help"};
	return index == 0;
}

static void print_option(FILE *out, const struct option_text *text)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s%s%s%s", text->letter ? '-' : ' ',
	    text->letter ? text->letter : ' ', text->letter ? ", " : "  ", text->name,
	    text->argument[0] ? "=" : "", text->argument);
	fprintf(out, "  %-24s %s\n", left, text->help);
}

void options_print_help(FILE *out, const struct command *command)
{
	struct option_text text;

	fprintf(out, "Usage: ompreport %s [options] %s\n\n%s.\n\n", command->name,
	    command->arguments ? command->arguments : "ARCHIVE", command->purpose);
	fputs("An archive is an experiment folder or its .otf2 file.\n\nOptions:\n", out);
	for (size_t i = 0; options_describe(command, i, &text); i++)
		print_option(out, &text);
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col < OPTION_WIDTH_MIN ? OPTION_WIDTH_MIN : size.ws_col;
}

/* Of the command's options, or of those of all commands for NULL. */
static const struct option_row *find_row(const struct command *command, const char *argument)
{
	size_t length = strcspn(argument, "=");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (command && !(command->options & rows[i].bit))
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

static int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What is wrong, and where the command's help is. */
static int usage_error(const struct command *command, const char *format, ...)
{
	va_list arguments;

	fputs("ompreport: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "; see 'ompreport %s --help'\n", command->name);
	return 3;
}

/* The command's option that is spelt most alike, or NULL. */
static const char *nearest_option(const struct command *command, const char *argument)
{
	size_t length = strcspn(argument, "="), least = length / 3 + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t changes = edit_distance(argument, length, rows[i].name);

		if (!(command->options & rows[i].bit) || changes >= least)
			continue;
		least = changes;
		nearest = rows[i].name;
	}
	return nearest;
}

static int unknown_option(const struct command *command, const char *argument)
{
	int length = (int)strcspn(argument, "=");
	const char *nearest = find_row(NULL, argument) ? NULL : nearest_option(command, argument);

	if (nearest)
		return usage_error(command,
		    "unknown option '%.*s' for 'ompreport %s' (did you mean '%s'?)", length,
		    argument, command->name, nearest);
	return usage_error(
	    command, "unknown option '%.*s' for 'ompreport %s'", length, argument, command->name);
}

static int read_option(
    struct options *options, const struct command *command, int argc, char **argv, int *at)
{
	const struct option_row *row = find_row(command, argv[*at]);
	const char *value, *expected;

	if (!row)
		return unknown_option(command, argv[*at]);
	if (!row->argument[0] && strchr(argv[*at], '='))
		return usage_error(
		    command, "'%s': option '%s' takes no value", argv[*at], row->name);
	value = row->argument[0] ? value_of(argv, argc, at) : "";
	if (!value)
		return usage_error(command, "option '%s' needs a value, %s=%s", argv[*at],
		    row->name, row->argument);
	expected = row->parse(options, command, value);
	if (!expected)
		return 0;
	fprintf(stderr, "ompreport %s: %s='%s': expected %s\n", command->name, row->name, value,
	    expected);
	return 3;
}

/* Whether there are as many archives as the command takes. */
static int check_paths(const struct options *options, const struct command *command)
{
	size_t min = command->min_paths ? command->min_paths : 1;
	size_t max = command->max_paths ? command->max_paths : 1;

	if (options->path_count > max)
		return usage_error(command, "unexpected argument '%s': 'ompreport %s' takes %s",
		    options->paths[max], command->name, max == 1 ? "one archive" : "two archives");
	if (options->path_count >= min)
		return 0;
	return usage_error(command, "no %sarchive is named: 'ompreport %s' takes %s",
	    options->path_count > 0 ? "second " : "", command->name,
	    max == 1   ? "one"
	    : max == 2 ? "two"
		       : "two or more");
}

int options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	bool only_paths = false;

	*options = (struct options){.width = terminal_width(),
	    .rows = SUMMARY_ROWS_SCREEN,
	    .threshold = -1,
	    .min_change_share = 0.01,
	    .to = SUMMARY_NOT_MEASURED};
	/*
	 * What is no option moves to the front of argv, which holds it as long as the program runs.
	 */
	options->paths = (const char **)argv;
	for (int i = 0; i < argc; i++) {
		int status = 0;

		if (!only_paths && strcmp(argv[i], "--") == 0) {
			only_paths = true;
		} else if (!only_paths &&
			   (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
			options_print_help(stdout, command);
			return 1;
		} else if (!only_paths && argv[i][0] == '-' && argv[i][1]) {
			status = read_option(options, command, argc, argv, &i);
		} else {
			argv[options->path_count++] = argv[i];
		}
		if (status)
			return status;
	}
	options->path = options->paths[0];
	return check_paths(options, command);
}
