/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line. One table of options serves parsing and --help; a command takes the options
 * whose bits are set in it.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "option-values.h"
#include "streams.h"

#define WIDTH_DEFAULT 80

#define FIELD(name) offsetof(struct options, name)

static const struct option_row rows[] = {
    {OPTION_FORMAT, 0, "--format", "FORMAT", "text (default), json or csv", option_set_choice,
	FIELD(format), .choices = "text|json|csv", .constant = SUMMARY_TEXT},
    {OPTION_WIDTH, 'w', "--width", "COLUMNS",
	"widest line of the text (default: the terminal's width, else 80)", option_read_width,
	FIELD(width)},
    {OPTION_ROWS, 'n', "--rows", "N", "rows per table of the text, 0 for all (default: one screen)",
	option_read_rows, FIELD(rows)},
    {OPTION_SORT, 's', "--sort", "COLUMN", "order by a column, named as in --format=csv",
	option_set_text, FIELD(sort), .expected = "a column, by its name in --format=csv"},
    {OPTION_REGION, 'r', "--region", "NAME",
	"only regions with NAME in \"file.c:12 for\"; *, ? and [] match", option_set_text,
	FIELD(region), .expected = "a part of a region's name, or a pattern"},
    {OPTION_THREAD, 't', "--thread", "THREAD", "only that thread, by number from 0 or by name",
	option_set_text, FIELD(thread), .expected = "a thread's number or name"},
    {OPTION_THREAD | OPTION_RANK, 0, "--rank", "RANK", "only that rank's threads, by number from 0",
	option_read_rank, FIELD(rank)},
    {OPTION_TARGET, 0, "--perfetto", NULL, "protobuf for Perfetto's UI and trace_processor",
	option_set_constant, FIELD(target), .constant = TARGET_PERFETTO},
    {OPTION_TARGET, 0, "--chrome", NULL,
	"JSON for chrome://tracing and speedscope, for short traces", option_set_constant,
	FIELD(target), .constant = TARGET_CHROME},
    {OPTION_TARGET, 0, "--flamegraph", NULL, "folded stacks for flamegraph.pl, speedscope, inferno",
	option_set_constant, FIELD(target), .constant = TARGET_FLAMEGRAPH},
    {OPTION_TARGET, 0, "--hatchet", NULL, "the tree of regions as JSON for Hatchet and Thicket",
	option_set_constant, FIELD(target), .constant = TARGET_HATCHET},
    {OPTION_TARGET, 0, "--cube", NULL,
	"a Cube 4 profile for CubeGUI: visits and times by call path and thread",
	option_set_constant, FIELD(target), .constant = TARGET_CUBE},
    {OPTION_TARGET, 0, "--csv", NULL, "a line for each visit of a thread to a region",
	option_set_constant, FIELD(target), .constant = TARGET_CSV},
    {OPTION_TARGET, 0, "--openmetrics", NULL, "the summary as text for Prometheus",
	option_set_constant, FIELD(target), .constant = TARGET_OPENMETRICS},
    {OPTION_TARGET, 0, "--pprof", NULL, "samples as a profile of pprof, gzip", option_set_constant,
	FIELD(target), .constant = TARGET_PPROF},
    {OPTION_TARGET, 0, "--speedscope", NULL, "samples as JSON for speedscope, thread by thread",
	option_set_constant, FIELD(target), .constant = TARGET_SPEEDSCOPE},
    {OPTION_TARGET, 0, "--folded", NULL, "samples as folded stacks for flamegraph.pl, inferno",
	option_set_constant, FIELD(target), .constant = TARGET_FOLDED},
    {OPTION_TARGET, 0, "--columns", "KIND",
	"visits, samples, messages, counters or events as NumPy's files in the folder of -o",
	option_set_text, FIELD(columns),
	.expected = "visits, samples, messages, counters or events"},
    {OPTION_WINDOW, 0, "--from", "TIME",
	"leave out what is before TIME (since the first event, such as 20ms)", option_read_time,
	FIELD(from)},
    {OPTION_WINDOW, 0, "--to", "TIME", "leave out what is after TIME", option_read_time, FIELD(to)},
    {OPTION_MIN_DURATION, 0, "--min-duration", "TIME",
	"leave out visits to regions that are shorter than TIME", option_read_time,
	FIELD(min_duration)},
    {OPTION_THRESHOLD, 0, "--threshold", "PERCENT",
	"exit status 3 when the wall time or a region's time grew by more", option_read_threshold,
	FIELD(threshold)},
    {OPTION_THRESHOLD, 0, "--min-change", "CHANGE",
	"growth to ignore: a time (5ms) or a share of the thread time (default: 1%)",
	option_read_min_change, 0},
    {OPTION_THRESHOLD, 0, "--chance", "PERCENT",
	"how likely a false alarm may be, all regions together (default: 5%)", option_read_chance,
	FIELD(chance)},
    {OPTION_THRESHOLD, 0, "--measure", "COUNTER",
	"compare that counter of each region, too, such as cpu_time (POMP_METRICS)",
	option_set_text, FIELD(measure), .expected = "a counter's name"},
    {OPTION_HOT, 0, "--lines", NULL, "lines by processor time (samples)", option_set_constant,
	FIELD(hot), .constant = HOT_LINES},
    {OPTION_HOT, 0, "--functions", NULL, "functions, themselves and with those that they call",
	option_set_constant, FIELD(hot), .constant = HOT_FUNCTIONS},
    {OPTION_HOT, 0, "--paths", NULL, "call paths: functions with all their callers",
	option_set_constant, FIELD(hot), .constant = HOT_PATHS},
    {OPTION_PAIRED, 0, "--paired", NULL,
	"compare each run with the one at its place on the other side", option_set_flag,
	FIELD(paired)},
    {OPTION_THRESHOLD, 0, "--markdown", "FILE", "write what grew to FILE as Markdown, too",
	option_set_text, FIELD(markdown), .expected = "a file name"},
    {OPTION_THRESHOLD, 0, "--junit", "FILE", "write it to FILE as JUnit's XML, too",
	option_set_text, FIELD(junit), .expected = "a file name"},
    {OPTION_THRESHOLD, 0, "--code-quality", "FILE",
	"write it to FILE as GitLab's code quality report, too", option_set_text,
	FIELD(code_quality), .expected = "a file name"},
    {OPTION_THRESHOLD, 0, "--annotate", NULL,
	"print it behind the report as GitHub's annotations, too", option_set_flag,
	FIELD(annotate)},
    {OPTION_SOURCE, 0, "--source", NULL,
	"quote each region's source line, where the file can be read", option_set_flag,
	FIELD(source)},
    {OPTION_ANNOTATE, 'c', "--context", "LINES",
	"lines of the source around each region (default: 2)", option_read_context, FIELD(context)},
    {OPTION_ANNOTATE, 0, "--sarif", "FILE",
	"write regions that lost 1 % or more to FILE for editors and code hosts, too",
	option_set_text, FIELD(sarif), .expected = "a file name"},
    {OPTION_ANNOTATE, 0, "--patch", "FILE",
	"write the schedules with a sure gain in --tried to FILE as a unified diff of the source",
	option_set_text, FIELD(patch), .expected = "a file name"},
    {OPTION_TRIED, 0, "--tried", "FILE",
	"advice has the gains that `ompinst tune --json` has printed to FILE", option_set_text,
	FIELD(tried), .expected = "a file name"},
    {OPTION_OMPP, 0, "--ompp", NULL, "one row per region and thread, with ompP's column names",
	option_set_flag, FIELD(ompp)},
    {OPTION_FILTER, 0, "--filter", NULL, "print the proposal as a file for POMP_FILTERING_FILE",
	option_set_flag, FIELD(filter)},
    {OPTION_NO_SOURCE, 0, "--no-source", NULL, "leave the program's source out of the page",
	option_set_flag, FIELD(no_source)},
    {OPTION_NO_SOURCE, 0, "--brief", NULL,
	"only what to look at first, the efficiency, the timeline, the regions and their callers",
	option_set_flag, FIELD(brief)},
    {OPTION_REGIONS, 0, "--regions", NULL,
	"what limits more threads, region by region, with laws that the runs follow",
	option_set_flag, FIELD(regions)},
    {OPTION_GROWTH, 0, "--growth", NULL,
	"which constructs have more work with more threads, and what explains it", option_set_flag,
	FIELD(growth)},
    {OPTION_GROWTH, 0, "--sharing", "FILE",
	"with --growth: the shared cache lines that `ompinst sharing run --format=json` has written",
	option_set_text, FIELD(sharing), .expected = "a file name"},
    {OPTION_MATRIX, 0, "--matrix", NULL, "messages by sender and receiver in place of waits",
	option_set_flag, FIELD(matrix)},
    {OPTION_DEBUG_DIR, 0, "--debug-dir", "DIR",
	"look for debug files in DIR, too; several are searched in their order",
	option_read_debug_dir, FIELD(debug_dirs)},
    {OPTION_CHANGE, 0, "--balance", "REGION", "all threads of a team get the same work in REGION",
	option_read_change, 0, .constant = CHANGE_BALANCE},
    {OPTION_CHANGE, 0, "--schedule", "REGION=KIND",
	"its iterations are shared so: static, dynamic or guided, with a chunk as in dynamic,8",
	option_read_change, 0, .constant = CHANGE_SCHEDULE},
    {OPTION_CHANGE, 0, "--threads", "N", "the largest teams have N threads", option_read_change, 0,
	.constant = CHANGE_THREADS},
    {OPTION_CHANGE, 0, "--faster", "REGION=FACTOR",
	"the work in REGION is done FACTOR times faster", option_read_change, 0,
	.constant = CHANGE_FASTER},
    {OPTION_CHANGE, 0, "--no-wait", "REGION", "no thread waits at REGION's barrier",
	option_read_change, 0, .constant = CHANGE_NO_WAIT},
    {OPTION_CHANGE, 0, "--grain", "REGION=N", "N of REGION's tasks are one task",
	option_read_change, 0, .constant = CHANGE_GRAIN},
    {OPTION_CHANGE, 0, "--unlock", "LOCK", "no thread waits for LOCK, by its name in 'locks'",
	option_read_change, 0, .constant = CHANGE_UNLOCK},
    {OPTION_CHANGE, 0, "--each", NULL, "each of these changes alone, not all of them together",
	option_set_flag, FIELD(each)},
    {OPTION_JOBS, 'j', "--jobs", "N",
	"threads that read the archive at a time (default: one for each processor)",
	option_read_jobs, FIELD(jobs)},
    {OPTION_OUTPUT, 'o', "--output", "FILE", "write to FILE; -: standard output", option_set_text,
	FIELD(output), .expected = "a file name"},
    {OPTION_HELP, 'h', "--help", NULL, "show this help", option_set_flag, FIELD(help)},
};

struct option_table options_table(const struct command *command)
{
	return (struct option_table){rows, sizeof(rows) / sizeof(rows[0]),
	    command->options | OPTION_HELP, .program = "ompreport", .subcommand = command->name};
}

void options_print_help(FILE *out, const struct command *command)
{
	struct option_table table = options_table(command);

	fprintf(out, "Usage: ompreport %s [options] %s\n\n%s.\n\n", command->name,
	    command->arguments ? command->arguments : "ARCHIVE", command->purpose);
	fputs("An archive is an experiment folder or its .otf2 file.\n\nOptions:\n", out);
	option_print_help(out, &table);
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col < OPTION_WIDTH_MIN ? OPTION_WIDTH_MIN : size.ws_col;
}

static int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints what is wrong, and how to get the command's help. */
static int usage_error(const struct command *command, const char *format, ...)
{
	va_list arguments;

	fputs("ompreport: ", stream_messages());
	va_start(arguments, format);
	vfprintf(stream_messages(), format, arguments);
	va_end(arguments);
	fprintf(stream_messages(), "; see 'ompreport %s --help'\n", command->name);
	return 3;
}

/* Returns how many words were consumed, or -1 after a message. */
static int read_option(
    struct options *options, const struct option_table *table, const char *const *words)
{
	char *error = NULL;
	int taken = option_read_known(table, words, options, &error);

	if (taken > 0)
		return taken;
	fprintf(stream_messages(), "ompreport: %s\n", error ? error : "out of memory");
	free(error);
	return -1;
}

/* Checks that the number of archives is one that the command takes. */
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
	    : min == 1 ? "one or more"
	    : max == 2 ? "two"
		       : "two or more");
}

int options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	struct option_table table = options_table(command);
	bool only_paths = false;

	*options = (struct options){.width = terminal_width(),
	    .rows = SUMMARY_ROWS_SCREEN,
	    .threshold = -1,
	    .min_change_share = 0.01,
	    .chance = 0.05,
	    .context = 2,
	    .to = SUMMARY_NOT_MEASURED};
	/*
	 * Arguments that are not options move to the front of argv, which exists as long as the
	 * program runs.
	 */
	options->paths = (const char **)argv;
	for (int i = 0; i < argc;) {
		int taken = 1;

		if (!only_paths && strcmp(argv[i], "--") == 0)
			only_paths = true;
		else if (!only_paths && argv[i][0] == '-' && argv[i][1])
			taken = read_option(options, &table, (const char *const *)argv + i);
		else
			argv[options->path_count++] = argv[i];
		if (taken < 0)
			return 3;
		if (options->help) {
			options_print_help(stream_output(), command);
			return 1;
		}
		i += taken;
	}
	options->path = options->paths[0];
	if (options->from > options->to)
		return usage_error(command,
		    "--from is %.9g s and --to %.9g s: expected an end that is not before the "
		    "begin",
		    (double)options->from / 1e9, (double)options->to / 1e9);
	return check_paths(options, command);
}
