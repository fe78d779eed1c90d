/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst tune`. */
#include "tune-options.h"

#include "common/nearest-word.h"
#include "option-numbers.h"
#include "shared/tuned-file.h"

#include <limits.h>
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET_SECONDS = 600 };

static const char *const group_names[] = {
#define GROUP_NAME(id, name) name,
    TUNE_GROUPS(GROUP_NAME)
#undef GROUP_NAME
};

#define ALL_GROUPS ((1u << TUNE_GROUP_COUNT) - 1)

#define GROUP_LIST_ITEM(id, name) ", " name
/* The names, without the first comma. */
static const char *list_of_groups(void)
{
	return &TUNE_GROUPS(GROUP_LIST_ITEM)[2];
}

static bool set_budget(void *field, const char *value, struct option_reading *reading)
{
	static const struct {
		char letter;
		double seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
	struct tune_options *options = field;
	const char *end = value;
	unsigned number = 0;

	options->budget_runs = 0;
	options->budget_seconds = 0;
	if (option_read_number(value, 1, INT_MAX / 3600, &end, &number) && *end == '\0') {
		options->budget_runs = number;
		return true;
	}
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (number > 0 && end[0] == units[i].letter && end[1] == '\0')
			options->budget_seconds = number * units[i].seconds;
	return options->budget_seconds > 0 ||
	       option_expected(
		   reading, "expected a time such as 90s, 10m or 2h, or a number of runs");
}

/* Checks a regular expression, of which only --metric needs a group. */
static bool is_pattern(const char *value, bool with_group, struct option_reading *reading)
{
	regex_t pattern;
	char problem[128];
	int failed = regcomp(&pattern, value, REG_EXTENDED | REG_NEWLINE);

	if (failed != 0) {
		regerror(failed, &pattern, problem, sizeof problem);
		return option_expected(
		    reading, "expected an extended regular expression: %s", problem);
	}
	size_t groups = pattern.re_nsub;
	regfree(&pattern);
	if (with_group && groups != 1)
		return option_expected(reading,
		    "expected wall, region=NAME, or a regular expression with one group (...) around the number, and "
		    "this has %zu",
		    groups);
	return true;
}

#define REGION "region="

static bool set_metric(void *field, const char *value, struct option_reading *reading)
{
	struct tune_options *options = field;

	options->metric = options->region = NULL;
	if (strcmp(value, "wall") == 0)
		return true;
	if (strncmp(value, REGION, strlen(REGION)) == 0) {
		options->region = value + strlen(REGION);
		return options->region[0] != '\0' ||
		       option_expected(reading, "expected a region, such as region=solver.c:29");
	}
	if (!is_pattern(value, true, reading))
		return false;
	options->metric = value;
	return true;
}

static bool set_ignored(void *field, const char *value, struct option_reading *reading)
{
	struct tune_options *options = field;

	if (options->ignored_count == TUNE_IGNORED_MOST)
		return option_expected(reading, "expected at most %d of them", TUNE_IGNORED_MOST);
	if (!is_pattern(value, false, reading))
		return false;
	options->ignored[options->ignored_count++] = value;
	return true;
}

static bool set_min_gain(void *field, const char *value, struct option_reading *reading)
{
	double *gain = field;
	char *end;
	double percent = strtod(value, &end);

	if (end == value || strcmp(end, *end == '%' ? "%" : "") != 0 || !(percent >= 0.1) ||
	    !(percent <= 1000))
		return option_expected(reading, "expected a percentage between 0.1 and 1000");
	*gain = percent / 100;
	return true;
}

static bool read_groups(unsigned *groups, const char *value, struct option_reading *reading)
{
	*groups = 0;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ","), group = 0;
		struct nearest_word nearest = {.written = at, .length = length};
		while (
		    group < TUNE_GROUP_COUNT && (strlen(group_names[group]) != length ||
						    strncmp(group_names[group], at, length) != 0))
			nearest_word_offer(&nearest, group_names[group++]);
		if (group == TUNE_GROUP_COUNT)
			return option_expected(reading,
			    "'%.*s' is not a setting%s%s%s; expected %s", (int)length, at,
			    nearest.name != NULL ? " (did you mean '" : "",
			    nearest.name != NULL ? nearest.name : "",
			    nearest.name != NULL ? "'?)" : "", list_of_groups());
		*groups |= 1u << group;
		at += length;
		if (*at == '\0')
			return true;
	}
}

static bool set_only(void *field, const char *value, struct option_reading *reading)
{
	return read_groups(field, value, reading);
}

static bool set_without(void *field, const char *value, struct option_reading *reading)
{
	unsigned *groups = field, without = 0;

	if (!read_groups(&without, value, reading))
		return false;
	*groups &= ~without;
	return true;
}

static bool set_try(void *field, const char *value, struct option_reading *reading)
{
	struct tune_options *options = field;
	const char *at = value + strspn(value, " ");

	if (options->try_count == TUNE_TRIES_MOST)
		return option_expected(reading, "expected at most %d of them", TUNE_TRIES_MOST);
	if (*at == '\0')
		return option_expected(reading, "expected NAME=VALUE");
	for (; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
		if (tuned_name(at) == 0)
			return option_expected(reading,
			    "expected NAME=VALUE, or several with a blank between them, and '%.*s' is none",
			    (int)strcspn(at, " "), at);
	options->tries[options->try_count++] = value;
	return true;
}

static bool set_seed(void *field, const char *value, struct option_reading *reading)
{
	struct tune_options *options = field;

	options->has_seed = true;
	return option_set_number(
	    &options->seed, value, reading, 0, INT_MAX, "expected a whole number");
}

static bool set_seconds(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 1, INT_MAX / 1000, "expected seconds");
}

static bool set_status(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 0, 255, "expected an exit status");
}

#define FIELD(name) offsetof(struct tune_options, name)
#define FOR_TUNE    1u

static const struct option_row rows[] = {
    {FOR_TUNE, 0, "--budget", "TIME|RUNS",
	"no new run after that: 90s, 10m, 2h, or a number of runs (10m)", set_budget, 0},
    {FOR_TUNE, 0, "--metric", "wall|region=NAME|PATTERN",
	"what gets better: the elapsed time, that of a region, or a number that the program prints "
	"(wall)",
	set_metric, 0},
    {FOR_TUNE, 0, "--larger", NULL, "the number is better when it is larger", option_set_flag,
	FIELD(larger)},
    {FOR_TUNE, 0, "--min-gain", "PERCENT", "smaller gains do not count (3)", set_min_gain,
	FIELD(min_gain)},
    {FOR_TUNE, 0, "--only", "NAME,...", "settings that are tried (all)", set_only, FIELD(groups)},
    {FOR_TUNE, 0, "--without", "NAME,...", "settings that are not tried", set_without,
	FIELD(groups)},
    {FOR_TUNE, 0, "--try", "NAME=VALUE", "try these variables, too; may be repeated", set_try, 0},
    {FOR_TUNE, 0, "--summary", "FILE",
	"of an earlier run, as CSV: says which loops and regions take most time", option_set_text,
	FIELD(summary), .expected = "a file name"},
    {FOR_TUNE, 0, "--inputs", "FILE", "run with each line's arguments added to the command",
	option_set_text, FIELD(inputs), .expected = "a file name"},
    {FOR_TUNE, 0, "--stdin", "FILE", "standard input of each run (/dev/null)", option_set_text,
	FIELD(input), .expected = "a file name"},
    {FOR_TUNE, 0, "--ignore", "PATTERN", "lines of output that are not compared; may be repeated",
	set_ignored, 0},
    {FOR_TUNE, 0, "--status", "N", "the program's exit status when all is well (0)", set_status,
	FIELD(status)},
    {FOR_TUNE, 0, "--run-time", "SECONDS",
	"a run that takes longer hangs (5 times the unchanged program, 10 at least)", set_seconds,
	FIELD(run_seconds)},
    {FOR_TUNE, 0, "--seed", "N", "orders the runs; the report has it", set_seed, 0},
    {FOR_TUNE, 'o', "--output", "FILE", "write the settings, for 'ompinst run --tuned=FILE'",
	option_set_text, FIELD(output), .expected = "a file name"},
    {FOR_TUNE, 0, "--patch", "FILE", "write schedules of loops as a patch of the program's text",
	option_set_text, FIELD(patch), .expected = "a file name"},
    {FOR_TUNE, 0, "--build", "COMMAND",
	"builds the program in a copy of this folder: measures what the patch brings",
	option_set_text, FIELD(build), .expected = "a command"},
    {FOR_TUNE, 0, "--page", "FILE", "write a page with a picture of the pairs", option_set_text,
	FIELD(page), .expected = "a file name"},
    {FOR_TUNE, 0, "--json", NULL, "print the report as JSON", option_set_flag, FIELD(json)},
    {FOR_TUNE, 0, "--quiet", NULL, "do not say what begins", option_set_flag, FIELD(quiet)},
    {FOR_TUNE, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table tune_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_TUNE, .program = "ompinst", .subcommand = "tune"};

int tune_options_read(const char *const *words, struct tune_options *options, char **error)
{
	*options = (struct tune_options){
	    .budget_seconds = BUDGET_SECONDS, .min_gain = 0.03, .groups = ALL_GROUPS};
	return option_read_leading(&tune_options_table, words, options, error);
}

void tune_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst tune [options] [--] COMMAND ARGUMENT...\n"
	    "\n"
	    "Searches the environment with which a program gets faster. It runs the program again\n"
	    "and again, unchanged and with other settings, in random order, until each gain is\n"
	    "sure or surely too small. Settings with which the output differs are out. The command\n"
	    "may be a launcher: ompinst tune -- mpirun -n 2 ./program.\n"
	    "Exit status: 0 a sure gain was found, 1 none, 2 it could not be found out.\n\n"
	    "options:\n",
	    out);
	option_print_help(out, &tune_options_table);
	fprintf(out, "\nsettings: %s\n", list_of_groups());
}
