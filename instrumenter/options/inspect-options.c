/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst why` and `ompinst stacks`, which are the same. */
#include "inspect-options.h"

#include "option-numbers.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name) offsetof(struct inspect_options, name)
#define FOR_INSPECT 1u

static const struct option_row rows[] = {
    {FOR_INSPECT, 0, "--format", "text|json", "text (default) or a document for programs",
	option_set_choice, FIELD(form), .choices = "text|json", .constant = INSPECT_TEXT},
    {FOR_INSPECT, 0, "--gdb", "PROGRAM", "the gdb to use (gdb)", option_set_text, FIELD(debugger),
	.expected = "a program's name"},
    {FOR_INSPECT, 0, "--ranks", NULL,
	"look at all ranks of the MPI program on this machine, of which PID is one",
	option_set_flag, FIELD(ranks)},
    {FOR_INSPECT, 0, "--watch", "TIME",
	"start PROGRAM, and say it whenever the program has not moved for so long: 90s, 10m, 2h",
	option_set_seconds, FIELD(watch)},
    {FOR_INSPECT, 0, "--end", NULL,
	"with --watch: end the program then by SIGABRT, which leaves a core file where those are on",
	option_set_flag, FIELD(ends)},
    {FOR_INSPECT, 0, "--output", "FILE", "with --watch: add to FILE what was seen (standard error)",
	option_set_text, FIELD(output), .expected = "a file name"},
    {FOR_INSPECT, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table inspect_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_INSPECT, .program = "ompinst", .subcommand = "why"};

int inspect_options_read(const char *const *words, struct inspect_options *options, char **error)
{
	*options = (struct inspect_options){.form = INSPECT_TEXT};
	return option_read_leading(&inspect_options_table, words, options, error);
}

void inspect_options_print_help(FILE *out, const char *command)
{
	fprintf(out,
	    "usage: ompinst %s [options] PID...\n"
	    "       ompinst %s [options] CORE [PROGRAM]\n"
	    "       ompinst %s --watch=TIME [options] PROGRAM ARGUMENT...\n"
	    "\n"
	    "%s\n"
	    "Several processes are ranks of an MPI program, which are looked at together.\n"
	    "The program has to run on ompinst's OpenMP runtime; it stops for about a second, and\n"
	    "goes on. gdb looks at it.\n"
	    "With --watch the exit status is that of the program.\n\n"
	    "options:\n",
	    command, command, command,
	    strcmp(command, "why") == 0
		? "Prints what each thread waits for in OpenMP, which threads have to act to end that,\n"
		  "and deadlocks. The exit status is 0 without a deadlock, 1 with one, 2 if that could\n"
		  "not be found out."
		: "Prints the calls of all threads as one tree, in which threads that do the same at the\n"
		  "same place are on one line, with what they wait for and for whom. The exit status is\n"
		  "0, or 2 if that could not be found out.");
	option_print_help(out, &inspect_options_table);
}
