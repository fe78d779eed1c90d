/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst race run`. */
#include "race-options.h"

#include "option-numbers.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

static bool set_runs(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 1, RACE_MOST_RUNS, "a number of runs");
}

static bool set_seed(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 0, INT_MAX, "a whole number");
}

static bool set_threads(void *field, const char *value, struct option_reading *reading)
{
	struct race_options *options = field;
	const char *at = value;

	options->thread_count = 0;
	while (options->thread_count < RACE_MOST_TEAM_SIZES &&
	       option_read_number(
		   at, 1, RACE_MOST_THREADS, &at, &options->threads[options->thread_count])) {
		options->thread_count++;
		if (*at == '\0')
			return true;
		if (*at++ != ',')
			break;
	}
	return option_expected(reading,
	    "numbers of threads between 1 and %d with commas between them, at most %d of them",
	    RACE_MOST_THREADS, RACE_MOST_TEAM_SIZES);
}

static bool set_results(void *field, const char *value, struct option_reading *reading)
{
	struct race_options *options = field;

	options->results = true;
	return value == NULL || option_set_text(&options->results_file, value, reading);
}

static bool set_fix(void *field, const char *value, struct option_reading *reading)
{
	struct race_options *options = field;

	options->fix = true;
	return value == NULL || option_set_text(&options->fix_file, value, reading);
}

#define FIELD(name) offsetof(struct race_options, name)
#define FOR_RACE    1u

static const struct option_row rows[] = {
    {FOR_RACE, 0, "--runs", "N", "how often the program runs (8)", set_runs, FIELD(runs)},
    {FOR_RACE, 0, "--threads", "N,...", "numbers of threads (8,3,2,5,16)", set_threads, 0},
    {FOR_RACE, 0, "--seed", "N", "another choice of orders", set_seed, FIELD(seed)},
    {FOR_RACE, 0, "--time", "SECONDS",
	"a budget, also as 90s or 5m: no new run after that, and the last one ends then",
	option_set_seconds, FIELD(seconds)},
    {FOR_RACE, 0, "--run-time", "SECONDS",
	"a run that takes longer hangs (20 times the first run, 60 at least)", option_set_seconds,
	FIELD(run_seconds)},
    {FOR_RACE, 0, "--inputs", "FILE",
	"run with each line's arguments added to the command; one report for all", option_set_text,
	FIELD(inputs), .expected = "a file name"},
    {FOR_RACE, 0, "--stop-at-first", NULL, "no more runs after one that showed a race",
	option_set_flag, FIELD(stop_at_first)},
    {FOR_RACE, 0, "--results", "FILE",
	"compare what the runs print, or write to FILE, and say why it differs", set_results, 0,
	.expected = "a file name", .can_lack_a_value = true},
    {FOR_RACE, 0, "--fix", "FILE",
	"print the changes that fix races with one right remedy, as a diff, or write it to FILE",
	set_fix, 0, .expected = "a file name", .can_lack_a_value = true},
    {FOR_RACE, 0, "--cc", "COMMAND", "with --fix: the command that compiles and links PROGRAM",
	option_set_text, FIELD(compiler), .expected = "a compiler's command"},
    {FOR_RACE, 0, "--verify", NULL,
	"with --fix and --cc: build the changed program, look for races, compare its results with "
	"those of one thread, and offer only what passes",
	option_set_flag, FIELD(verify)},
    {FOR_RACE, 0, "--apply", NULL, "with --fix: write the changes to the files", option_set_flag,
	FIELD(apply)},
    {FOR_RACE, 0, "--baseline", "FILE",
	"an earlier report (JSON or SARIF): the races in it do not count", option_set_text,
	FIELD(baseline), .expected = "a file name"},
    {FOR_RACE, 0, "--suppressions", "FILE",
	"ThreadSanitizer's suppressions: the races that fit do not count", option_set_text,
	FIELD(suppressions), .expected = "a file name"},
    {FOR_RACE, 0, "--since", "COMMIT",
	"only races count with a line, or a directive around it, that changed since then (by git)",
	option_set_text, FIELD(since), .expected = "a commit"},
    {FOR_RACE, 0, "--memory", NULL,
	"PROGRAM starts one that was built with 'ompinst race --memory'; needed for scripts only",
	option_set_flag, FIELD(memory)},
    {FOR_RACE, 0, "--all", NULL, "list, too, what does not count as a race", option_set_flag,
	FIELD(all)},
    {FOR_RACE, 0, "--format", "text|json|sarif|html", "of the report", option_set_choice,
	FIELD(format), .choices = "text|json|sarif|html"},
    {FOR_RACE, 0, "--output", "FILE", "write the report to FILE", option_set_text, FIELD(output),
	.expected = "a file name"},
    {FOR_RACE, 0, "--program-status", NULL, "end with the exit status of the program's first run",
	option_set_flag, FIELD(program_status)},
    {FOR_RACE, 0, "--quiet", NULL, "do not say what each run does", option_set_flag, FIELD(quiet)},
    {FOR_RACE, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

/* The word after an option would otherwise be read as its value, not as the program. */
const struct option_table race_options_table = {rows, sizeof rows / sizeof rows[0], FOR_RACE,
    .program = "ompinst", .subcommand = "race run", .one_word = true};

int race_options_read(const char *const *words, struct race_options *options, char **error)
{
	return option_read_leading(&race_options_table, words, options, error);
}

void race_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst race [--memory|--memory=uninitialized] COMPILER ARGUMENT...\n"
	    "       ompinst race run [options] PROGRAM ARGUMENT...\n"
	    "\n"
	    "The first form compiles and links with what finding data races needs, and warns of\n"
	    "races that the text of C and C++ shows, as 'ompinst lint' does: -Wno-openmp and\n"
	    "-Wno-openmp-NAME among the compiler's words switch that off. The second\n"
	    "runs the program several times, with other numbers of threads, schedules and orders,\n"
	    "and reports the races that ThreadSanitizer saw in the words of OpenMP.\n"
	    "The first run has the program's input and output; what later ones print is dropped.\n"
	    "With --inputs each line's first run prints, and one report says which lines show what.\n"
	    "Locks that threads can take in opposite orders, a deadlock, are reported as well.\n"
	    "With --memory the first form compiles with AddressSanitizer, and the second finds what\n"
	    "is used after it has ended; with --memory=uninitialized, for clang, with\n"
	    "MemorySanitizer, and it finds what is read before it is written.\n"
	    "A comment on the line of a race, or on the one before, allows it:\n"
	    "/* omp race: allow: REASON */.\n"
	    "Exit status: 0 no race and no deadlock (with --results: and equal results), 1 some,\n"
	    "2 it could not be found out.\n\n"
	    "options of ompinst race run:\n",
	    out);
	option_print_help(out, &race_options_table);
}
