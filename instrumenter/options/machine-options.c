/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst machine`. */
#include "machine-options.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct machine_options, name)
#define FOR_MACHINE 1u

static const struct option_row rows[] = {
    {FOR_MACHINE, 0, "--again", NULL, "measure, even if figures of this machine are there",
	option_set_flag, FIELD(again)},
    {FOR_MACHINE, 0, "--json", NULL, "print a document for programs", option_set_flag, FIELD(json)},
    {FOR_MACHINE, 'h', "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table machine_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_MACHINE, .program = "ompinst", .subcommand = "machine"};

bool machine_options_read(const char *const *words, struct machine_options *options, char **error)
{
	*options = (struct machine_options){.help = false};
	int count = option_read_leading(&machine_options_table, words, options, error);

	if (count < 0)
		return false;
	if (words[count] == NULL || options->help)
		return true;
	struct option_reading reading = {.problem = NULL};
	option_expected(
	    &reading, "unexpected '%s'; 'ompinst machine' measures this machine", words[count]);
	*error = reading.problem;
	return false;
}

void machine_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst machine [options]\n"
	    "\n"
	    "Measures what 1, 2, 4, ... processors of this machine can do at the same time: the\n"
	    "bandwidth of memory, the clock, and the peak of arithmetic. Takes some seconds, during\n"
	    "which nothing else should run. The figures are kept for this user, and 'ompreport\n"
	    "scaling --growth' and 'ompreport roofline' refer to them. The exit status is 0, or 2\n"
	    "without figures.\n"
	    "\n"
	    "options:\n",
	    out);
	option_print_help(out, &machine_options_table);
}
