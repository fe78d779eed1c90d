/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the tool's results: one line per violation, up to a limit for each rule, and counts at the
 * end. Lines are appended to the file OMPT_CHECK_LOG, or go to standard error. Each line is one
 * write, so that lines of different threads and processes do not mix.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_OF_A_RULE 10

struct rule_text {
	const char *name, *section, *text;
};

#define AS_TEXT(name, section, text) {#name, section, text},
static const struct rule_text rules[] = {CHECK_RULES(AS_TEXT)};
#undef AS_TEXT

#define AS_NAME(name, type) #name,
static const char *const names[] = {CHECK_EVENTS(AS_NAME)};
#undef AS_NAME

static int output = STDERR_FILENO;
static unsigned long found[RULES]; /* atomic */
static bool allowed[RULES];

const char *event_name(enum event event)
{
	return names[event];
}

/*
 * Reads OMPT_CHECK_ALLOW: rules, separated by commas, that may be broken; these are counted and not
 * printed.
 */
static void read_allowed(void)
{
	const char *list = getenv("OMPT_CHECK_ALLOW");
	char *copy = list ? strdup(list) : NULL, *rest = NULL;

	for (char *name = copy ? strtok_r(copy, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest)) {
		int rule = 0;

		while (rule < RULES && strcmp(rules[rule].name, name))
			rule++;
		if (rule == RULES)
			dprintf(output, "ompt-check: OMPT_CHECK_ALLOW: '%s' is no rule\n", name);
		else
			allowed[rule] = true;
	}
	free(copy);
}

void report_open(void)
{
	const char *log = getenv("OMPT_CHECK_LOG");

	if (log && *log) {
		int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

		if (file < 0)
			dprintf(output, "ompt-check: OMPT_CHECK_LOG: cannot open '%s': %m\n", log);
		else
			output = file;
	}
	read_allowed();
}

void violation(enum rule rule, const char *format, ...)
{
	struct thread *me = thread_now();
	unsigned long before = add(&found[rule], 1);
	char line[1024];
	va_list arguments;
	int length;

	if (allowed[rule] || before > LINES_OF_A_RULE)
		return;
	length = snprintf(line, sizeof line,
	    "ompt-check: %s (OpenMP 5.2, %s: %s): thread %u, %s: ", rules[rule].name,
	    rules[rule].section, rules[rule].text, me ? me->number : 0,
	    me ? names[me->event] : "-");
	va_start(arguments, format);
	length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
	va_end(arguments);
	if (length < (int)sizeof line)
		length += snprintf(line + length, sizeof line - (size_t)length, " [%s %d]",
		    program_invocation_short_name, (int)getpid());
	if (length > (int)sizeof line - 2)
		length = sizeof line - 2;
	line[length++] = '\n';
	if (write(output, line, (size_t)length) < 0)
		return;
}

/* Prints the names and numbers of all nonzero counts on one line. */
static void print_counts(void)
{
	char line[2048];
	int length = snprintf(line, sizeof line, "ompt-check: callbacks:");

	for (int event = 0; event < EVENTS; event++)
		if (load(&event_counts[event]))
			length += snprintf(line + length, sizeof line - (size_t)length, " %s %lu%s",
			    names[event], load(&event_counts[event]),
			    set_results[event] == ompt_set_sometimes ? " (sometimes)" : "");
	if (load(&samples_taken))
		length += snprintf(line + length, sizeof line - (size_t)length, " samples %lu",
		    load(&samples_taken));
	length += snprintf(line + length, sizeof line - (size_t)length, "; never:");
	for (int event = 0; event < EVENTS; event++)
		if (set_results[event] == ompt_set_never)
			length += snprintf(
			    line + length, sizeof line - (size_t)length, " %s", names[event]);
	dprintf(output, "%s\n", line);
}

unsigned long report_close(void)
{
	const char *options = getenv("OMPT_CHECK");
	unsigned long all = 0;

	for (int rule = 0; rule < RULES; rule++) {
		unsigned long times = load(&found[rule]);

		if (times > LINES_OF_A_RULE && !allowed[rule])
			dprintf(output, "ompt-check: %s: %lu violations in all\n", rules[rule].name,
			    times);
		if (!allowed[rule])
			all += times;
	}
	if (options && strstr(options, "counts"))
		print_counts();
	if (all)
		dprintf(output, "ompt-check: %lu violations\n", all);
	return all;
}
