/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst sharing run`. */
#include "sharing-options.h"

#include "option-numbers.h"

#include <stddef.h>

static bool set_percent(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 0, 100, "a percentage");
}

static bool set_nanoseconds(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(field, value, reading, 1, 100000, "nanoseconds");
}

#define FIELD(name) offsetof(struct sharing_options, name)
#define FOR_SHARING 1u

static const struct option_row rows[] = {
    {FOR_SHARING, 0, "--least", "PERCENT",
	"report what costs at least this part of the processor time (1)", set_percent,
	FIELD(least)},
    {FOR_SHARING, 0, "--transfer", "NS", "what a transfer of a line costs, instead of measuring it",
	set_nanoseconds, FIELD(transfer)},
    {FOR_SHARING, 0, "--plain", "PROGRAM",
	"measure the cost by PROGRAM, the same one compiled as usual, on all processors and on one",
	option_set_text, FIELD(plain), .expected = "a program"},
    {FOR_SHARING, 0, "--time", "SECONDS",
	"end the program after that time, also as 90s or 5m, and report what was seen",
	option_set_seconds, FIELD(seconds)},
    {FOR_SHARING, 0, "--all", NULL, "report every shared line, whatever it costs", option_set_flag,
	FIELD(all)},
    {FOR_SHARING, 0, "--locality", NULL,
	"report data that another thread had before, between loops and tasks, too", option_set_flag,
	FIELD(locality)},
    {FOR_SHARING, 0, "--prove", NULL,
	"run the program again with falsely shared blocks of the heap in lines of their own",
	option_set_flag, FIELD(prove)},
    {FOR_SHARING, 0, "--first-touch", NULL,
	"report arrays whose pages other threads touched first than use them", option_set_flag,
	FIELD(first_touch)},
    {FOR_SHARING, 0, "--format", "text|json|sarif|html", "of the report", option_set_choice,
	FIELD(format), .choices = "text|json|sarif|html"},
    {FOR_SHARING, 0, "--output", "FILE", "write the report to FILE", option_set_text, FIELD(output),
	.expected = "a file name"},
    {FOR_SHARING, 0, "--program-status", NULL, "end with the exit status of the program",
	option_set_flag, FIELD(program_status)},
    {FOR_SHARING, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

/* The word after an option would otherwise be read as its value, not as the program. */
const struct option_table sharing_options_table = {rows, sizeof rows / sizeof rows[0], FOR_SHARING,
    .program = "ompinst", .subcommand = "sharing run", .one_word = true};

int sharing_options_read(const char *const *words, struct sharing_options *options, char **error)
{
	options->least = 1;
	return option_read_leading(&sharing_options_table, words, options, error);
}

void sharing_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst sharing COMPILER ARGUMENT...\n"
	    "       ompinst sharing run [options] PROGRAM ARGUMENT...\n"
	    "\n"
	    "The first form compiles and links so that each access to memory is noted when the\n"
	    "second form runs the program: cache lines that several threads use between two\n"
	    "barriers, at least one of them writing. Where threads use different bytes of a line,\n"
	    "they share it falsely, and where they use the same ones, truly; the report names the\n"
	    "variable, the lines of the source, and what that costs about.\n"
	    "Exit status: 0 nothing found, 1 something, 2 it could not be found out.\n\n"
	    "options of ompinst sharing run:\n",
	    out);
	option_print_help(out, &sharing_options_table);
}
