/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of `ompinst run`. Some stand for a variable of the measurement library, which their
 * row names. All other variables of the library are set in the environment, as for any measured
 * program.
 */
#include "launch-options.h"

#include <stddef.h>

static bool set_trace(void *field, const char *value, struct option_reading *reading)
{
	struct launch_options *options = field;

	options->trace = true;
	return value == NULL || option_set_text(&options->folder, value, reading);
}

#define FIELD(name) offsetof(struct launch_options, name)
#define FOR_RUN     1u

static const struct option_row rows[] = {
    {FOR_RUN, 0, "--trace", "FOLDER",
	"record a trace, too: POMP_ENABLE_TRACING, POMP_EXPERIMENT_DIRECTORY", set_trace, 0,
	.expected = "a folder", .can_lack_a_value = true},
    {FOR_RUN, 0, "--summary", "FILE", "where the summary goes, or off: POMP_SUMMARY",
	option_set_text, FIELD(summary), .expected = "a file name or off"},
    {FOR_RUN, 0, "--metrics", "NAME,...", "counters that are read: POMP_METRICS", option_set_text,
	FIELD(metrics), .expected = "names of counters"},
    {FOR_RUN, 0, "--filter", "FILE", "what is left out: POMP_FILTERING_FILE", option_set_text,
	FIELD(filter), .expected = "a file name"},
    {FOR_RUN, 0, "--tuned", "FILE", "with the settings that 'ompinst tune' has found",
	option_set_text, FIELD(tuned), .expected = "a file name"},
    {FOR_RUN, 0, "--mpi", "openmpi|mpich|off",
	"the MPI of a program that loads it later, as Python does", option_set_choice, FIELD(mpi),
	.choices = "openmpi|mpich|off", .constant = LAUNCH_MPI_OPENMPI},
    {FOR_RUN, 0, "--runtime", "bundled|system",
	"the OpenMP runtime that programs run on: ompinst's or theirs (bundled)", option_set_choice,
	FIELD(runtime), .choices = "bundled|system", .constant = LAUNCH_RUNTIME_BUNDLED},
    {FOR_RUN, 0, "--strict", NULL, "do not run what cannot be measured", option_set_flag,
	FIELD(strict)},
    {FOR_RUN, 0, "--quiet", NULL, "do not say what is measured, nor why nothing is",
	option_set_flag, FIELD(quiet)},
    {FOR_RUN, 0, "--dry-run", NULL, "print the command instead of running it", option_set_flag,
	FIELD(dry_run)},
    {FOR_RUN, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

/* The word after an option would otherwise be read as its value, not as PROGRAM. */
const struct option_table launch_options_table = {rows, sizeof rows / sizeof rows[0], FOR_RUN,
    .program = "ompinst", .subcommand = "run", .one_word = true};

int launch_options_read(const char *const *words, struct launch_options *options, char **error)
{
	return option_read_leading(&launch_options_table, words, options, error);
}

void launch_options_print_help(FILE *out)
{
	fputs("usage: ompinst run [options] PROGRAM ARGUMENT...\n"
	      "\n"
	      "Runs a program that was compiled without ompinst, and measures its OpenMP regions,\n"
	      "its children's, too. It runs on the bundled runtime in place of GNU's, LLVM's and\n"
	      "Intel's. Output and exit status are the program's own.\n\n"
	      "options:\n",
	    out);
	option_print_help(out, &launch_options_table);
	fputs("\nThe POMP_ variables hold as for any measured program.\n", out);
}
