/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst snapshot`. */
#include "snapshot-options.h"

#include "error-text.h"
#include "one-operand.h"

#include <stddef.h>

#define FIELD(name)  offsetof(struct snapshot_options, name)
#define FOR_SNAPSHOT 1u

static const struct option_row rows[] = {
    {FOR_SNAPSHOT, 'o', "--output", "FILE", "write to FILE, which is replaced at once",
	option_set_text, FIELD(output)},
    {FOR_SNAPSHOT, 0, "--format", "text|json|csv|openmetrics",
	"the form, as of the summary at the end (text)", option_set_choice, FIELD(form),
	.choices = "text|json|csv|openmetrics", .constant = SUMMARY_TEXT},
    {FOR_SNAPSHOT, 0, "--reset", NULL,
	"what was measured since the last --reset of this process, or its start", option_set_flag,
	FIELD(reset)},
    {FOR_SNAPSHOT, 0, "--since", "FILE",
	"the same; the begin of the interval is kept in FILE, made if it is not there",
	option_set_text, FIELD(since)},
    {FOR_SNAPSHOT, 'h', "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table snapshot_options_table = {rows, sizeof rows / sizeof rows[0],
    FOR_SNAPSHOT, .program = "ompinst", .subcommand = "snapshot"};

bool snapshot_options_read(const char *const *words, struct snapshot_options *options, char **error)
{
	*options = (struct snapshot_options){.form = SUMMARY_TEXT};
	if (!options_read_around(&snapshot_options_table, words, options, &options->help,
		&options->process, "the number or name of one process", error))
		return false;
	if (options->reset && options->since != NULL)
		return error_set(
		    error, "--reset and --since='%s': expected one of them", options->since);
	return true;
}

void snapshot_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst snapshot [options] PID|NAME\n"
	    "\n"
	    "Prints the profile so far of a running program that was compiled by ompinst, or started\n"
	    "by 'ompinst run', as it would be printed at the program's end. Its memory is read from\n"
	    "outside: it is not stopped, and goes on measuring. The exit status is 0, or 2 if there\n"
	    "is no profile.\n"
	    "\n"
	    "options:\n",
	    out);
	option_print_help(out, &snapshot_options_table);
}
