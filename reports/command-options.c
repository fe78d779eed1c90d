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

static const char *parse_sort(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->sort = value;
	return value[0] ? NULL : "a column, by its name in --format=csv";
}

static const char *parse_region(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->region = value;
	return value[0] ? NULL : "a part of a region's name, or a pattern";
}

static const char *parse_thread(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->thread = value;
	return value[0] ? NULL : "a thread's number or name";
}

static const char *parse_ompp(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->ompp = true;
	return NULL;
}

static const char *parse_source(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->source = true;
	return NULL;
}

static const char *parse_filter(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->filter = true;
	return NULL;
}

static const char *parse_threshold(
    struct options *options, const struct command *command, const char *value)
{
	char *end;
	double percent = strtod(value, &end);

	(void)command;
	if (*end == '%')
		end++;
	if (end == value || *end || !(percent >= 0 && percent <= 1e6))
		return "a growth in per cent, such as 5 or 2.5%";
	options->threshold = percent / 100;
	return NULL;
}

static const struct time_unit {
	const char *name;
	double nanoseconds;
} time_units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"", 1e9}};

static int read_time(const char *value, uint64_t *time)
{
	char *end;
	double number = strtod(value, &end);

	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		double nanoseconds = number * time_units[i].nanoseconds;

		if (end == value || strcmp(end, time_units[i].name) != 0)
			continue;
		if (!(nanoseconds >= 0 && nanoseconds < 1e18))
			return -1;
		*time = (uint64_t)(nanoseconds + 0.5);
		return 0;
	}
	return -1;
}

#define TIME_EXPECTED "a time such as 1.5s, 20ms, 3us or 40ns"

static const char *parse_from(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->from) == 0 ? NULL : TIME_EXPECTED;
}

static const char *parse_to(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->to) == 0 ? NULL : TIME_EXPECTED;
}

static const char *parse_min_duration(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->min_duration) == 0 ? NULL : TIME_EXPECTED;
}

static const char *parse_perfetto(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_PERFETTO;
	return NULL;
}

static const char *parse_chrome(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_CHROME;
	return NULL;
}

static const char *parse_flamegraph(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_FLAMEGRAPH;
	return NULL;
}

static const char *parse_csv(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_CSV;
	return NULL;
}

static const struct option_row {
	unsigned bit;
	char letter;                 /* or 0 */
	const char *name, *argument; /* argument "": takes none */
	option_parser *parse;
	const char *help;
} rows[] = {
    {OPTION_FORMAT, 0, "--format", "FORMAT", parse_format, NULL},
    {OPTION_WIDTH, 'w', "--width", "COLUMNS", parse_width,
	"widest line of the text (default: the terminal's width, else 80)"},
    {OPTION_ROWS, 'n', "--rows", "N", parse_rows,
	"rows per table of the text, 0 for all (default: one screen)"},
    {OPTION_SORT, 's', "--sort", "COLUMN", parse_sort,
	"order by a column, named as in --format=csv"},
    {OPTION_REGION, 'r', "--region", "NAME", parse_region,
	"only regions with NAME in \"file.c:12 for\"; *, ? and [] match"},
    {OPTION_THREAD, 't', "--thread", "THREAD", parse_thread,
	"only that thread, by number from 0 or by name"},
    {OPTION_TARGET, 0, "--perfetto", "", parse_perfetto,
	"protobuf for Perfetto's UI and trace_processor"},
    {OPTION_TARGET, 0, "--chrome", "", parse_chrome,
	"JSON for chrome://tracing and speedscope, for short traces"},
    {OPTION_TARGET, 0, "--flamegraph", "", parse_flamegraph,
	"folded stacks for flamegraph.pl, speedscope, inferno"},
    {OPTION_TARGET, 0, "--csv", "", parse_csv, "a line for each stay of a thread in a region"},
    {OPTION_WINDOW, 0, "--from", "TIME", parse_from,
	"leave out what is before; since the first event, 20ms"},
    {OPTION_WINDOW, 0, "--to", "TIME", parse_to, "leave out what is after"},
    {OPTION_MIN_DURATION, 0, "--min-duration", "TIME", parse_min_duration,
	"leave out shorter stays"},
    {OPTION_THRESHOLD, 0, "--threshold", "PERCENT", parse_threshold,
	"exit status 3 when the wall time or a region grew by more"},
    {OPTION_SOURCE, 0, "--source", "", parse_source,
	"quote each region's line, where the source is at hand"},
    {OPTION_OMPP, 0, "--ompp", "", parse_ompp,
	"one row per region and thread, with ompP's column names"},
    {OPTION_FILTER, 0, "--filter", "", parse_filter,
	"print the proposal as a file for POMP_FILTERING_FILE"},
    {OPTION_OUTPUT, 'o', "--output", "FILE", parse_output, "write to FILE"},
};

bool options_describe(const struct command *command, size_t index, struct option_text *text)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct option_row *row = &rows[i];

		if (!(command->options & row->bit) || index-- > 0)
			continue;
		*text = (struct option_text){row->letter, row->name, row->argument, row->help};
		if (row->bit == OPTION_FORMAT)
			text->help = command->formats & 1u << SUMMARY_CSV
					 ? "text (default), json or csv"
					 : "text (default) or json";
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

	fprintf(out, "Usage: ompreport %s [options] ARCHIVE%s\n\n%s.\n\n", command->name,
	    command->max_paths == 2  ? " ARCHIVE"
	    : command->max_paths > 2 ? "..."
				     : "",
	    command->purpose);
	fputs("ARCHIVE is an experiment folder or its .otf2 file.\n\nOptions:\n", out);
	for (size_t i = 0; options_describe(command, i, &text); i++)
		print_option(out, &text);
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
	if (!row->argument[0] && strchr(argv[*at], '='))
		return usage_error(command, "option without a value", argv[*at]);
	value = row->argument[0] ? value_of(argv, argc, at) : "";
	if (!value)
		return usage_error(command, "no value for option", argv[*at]);
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
		return usage_error(command,
		    max == 1 ? "one archive at a time; what is" : "too many archives; what is",
		    options->paths[max]);
	if (options->path_count >= min)
		return 0;
	fprintf(stderr, "ompreport %s: which archive%s? see ompreport %s --help\n", command->name,
	    min > 1 ? "s" : "", command->name);
	return 3;
}

int options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	bool only_paths = false;

	*options = (struct options){.width = terminal_width(),
	    .rows = SUMMARY_ROWS_SCREEN,
	    .threshold = -1,
	    .to = SUMMARY_NOT_MEASURED};
	/* What is no option moves to the front of argv, which holds it as long as the program runs.
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
