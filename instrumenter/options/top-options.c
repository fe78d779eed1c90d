/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst top`. */
#include "top-options.h"

#include "option-numbers.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { DEFAULT_STUCK = 5 };

#define FIELD(name) offsetof(struct top_options, name)
#define FOR_TOP     1u

static bool set_interval(void *field, const char *value, struct option_reading *reading)
{
	char *end;
	double seconds = strtod(value, &end);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' ||
	    !(seconds >= 0.1 && seconds <= 86400))
		return option_expected(reading, "expected seconds between 0.1 and 86400");
	*(unsigned *)field = (unsigned)(seconds * 1000 + 0.5);
	return true;
}

static bool set_count(void *field, const char *value, struct option_reading *reading)
{
	return option_set_number(
	    field, value, reading, 1, INT_MAX, "expected a number of intervals");
}

static const struct option_row rows[] = {
    {FOR_TOP, 0, "--once", NULL, "print one interval and end", option_set_flag, FIELD(once)},
    {FOR_TOP, 0, "--format", "text|json|csv",
	"text: tables; json: a document for each interval; csv: a line for each process and interval",
	option_set_choice, FIELD(form), .choices = "text|json|csv", .constant = TOP_TEXT},
    {FOR_TOP, 'i', "--interval", "SECONDS", "length of an interval, from 0.1 (1)", set_interval,
	FIELD(interval)},
    {FOR_TOP, 'n', "--count", "NUMBER", "end after NUMBER intervals", set_count, FIELD(count)},
    {FOR_TOP, 0, "--stuck", "NUMBER",
	"after how many intervals a wait in which nothing changed is shown (5)", set_count,
	FIELD(stuck)},
    {FOR_TOP, 0, "--threads", NULL, "text: the threads of each process, too", option_set_flag,
	FIELD(threads)},
    {FOR_TOP, 'h', "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table top_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_TOP, .program = "ompinst", .subcommand = "top"};

int top_options_read(const char *const *words, struct top_options *options, char **error)
{
	*options = (struct top_options){.form = TOP_VIEW, .interval = 1000, .stuck = DEFAULT_STUCK};
	int count = option_read_leading(&top_options_table, words, options, error);
	/* One interval is a text for people, unless another form was asked for. */
	if (options->once && options->form == TOP_VIEW)
		options->form = TOP_TEXT;
	if (options->once)
		options->count = 1;
	return count;
}

void top_options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst top [options] [PID|NAME]\n"
	    "\n"
	    "Shows what OpenMP programs of this user do while they run: how much of their threads'\n"
	    "time is work on a processor, what the others wait for, regions, locks, queued tasks.\n"
	    "Their memory is read from outside; they are not stopped and need not be prepared, but\n"
	    "have to run on ompinst's OpenMP runtime. With PID or NAME only those processes; with\n"
	    "one process also its threads. The exit status is 0, or 2 if there was nothing to see.\n"
	    "\n"
	    "options:\n",
	    out);
	option_print_help(out, &top_options_table);
}
