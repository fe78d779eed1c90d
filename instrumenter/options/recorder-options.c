/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst trace`. */
#include "recorder-options.h"

#include "one-operand.h"
#include "option-numbers.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct recorder_options, name)
#define FOR_TRACE   1u

static const struct option_row rows[] = {
    {FOR_TRACE, 0, "--for", "TIME",
	"how far back, as 90, 90s or 5m; a thread's trace may begin a little earlier (all that is kept)",
	option_set_seconds, FIELD(seconds)},
    {FOR_TRACE, 'o', "--output", "DIR", "folder to make for the trace (trace-PID)", option_set_text,
	FIELD(output), .expected = "a folder"},
    {FOR_TRACE, 'h', "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table recorder_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_TRACE, .program = "ompinst", .subcommand = "trace"};

bool recorder_options_read(const char *const *words, struct recorder_options *options, char **error)
{
	*options = (struct recorder_options){.seconds = 0};
	return options_read_around(&recorder_options_table, words, options, &options->help,
	    &options->process, "one process number", error);
}

void recorder_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst trace [options] PID\n"
	    "\n"
	    "Makes an OTF2 archive of the last seconds of a running program, which has to keep them:\n"
	    "started with POMP_TRACE_RING=64M. The program goes on, is not stopped and gets no\n"
	    "signal. The exit status is 0, or 2 if there is no trace.\n"
	    "\n"
	    "options:\n",
	    out);
	option_print_help(out, &recorder_options_table);
}
