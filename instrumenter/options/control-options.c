/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst control`. */
#include "control-options.h"

#include "one-operand.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct control_options, name)
#define FOR_CONTROL 1u

static const struct option_row rows[] = {
    {FOR_CONTROL, 0, "--sampling", "RATE",
	"samples in a second of a thread's processor time, at most as many as at the start; off: none",
	option_set_text, FIELD(sampling), .expected = "off or a number"},
    {FOR_CONTROL, 0, "--filter", "FILE",
	"leave out the regions that this file names, as POMP_FILTERING_FILE does; off: none",
	option_set_text, FIELD(filter), .expected = "a file, or off"},
    {FOR_CONTROL, 0, "--metrics", "SWITCH",
	"on or off: read the counters of POMP_METRICS that were chosen at the start, or do not",
	option_set_text, FIELD(metrics), .expected = "on or off"},
    {FOR_CONTROL, 'h', "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table control_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_CONTROL, .program = "ompinst", .subcommand = "control"};

bool control_options_read(const char *const *words, struct control_options *options, char **error)
{
	*options = (struct control_options){.process = NULL};
	return options_read_around(&control_options_table, words, options, &options->help,
	    &options->process, "one process number", error);
}

void control_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst control [options] PID\n"
	    "\n"
	    "Changes settings of a running program that was started with POMP_CONTROL=yes, and prints\n"
	    "what holds then; without options it only prints that. The program goes on and answers\n"
	    "within about a second. The exit status is 0, 1 if the program refuses (nothing is\n"
	    "changed), or 2 if there is no answer.\n"
	    "\n"
	    "options:\n",
	    out);
	option_print_help(out, &control_options_table);
}
