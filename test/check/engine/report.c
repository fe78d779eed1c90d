/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the steps of the current run, for the report of a failure. */
#include "engine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1 << 16, SHOWN = 200, OUTCOMES = 1 << 12, OUTCOME_LENGTH = 64 };

static struct trace_line lines[LINES];
static uint32_t line_count;
static bool has_failed;
bool report_is_quiet;

static char outcomes[OUTCOMES][OUTCOME_LENGTH];
static uint32_t outcome_count;

void report_reset(void)
{
	line_count = 0;
	has_failed = false;
}

bool report_has_failed(void)
{
	return has_failed;
}

void report_step(
    const char *what, memory_order order, uintptr_t address, uint64_t value, const void *place)
{
	lines[line_count++ % LINES] =
	    (struct trace_line){check_self->number, what, order, address, value, place};
}

static const char *order_name(memory_order order)
{
	switch (order) {
	case memory_order_relaxed:
		return "relaxed";
	case memory_order_consume:
		return "consume";
	case memory_order_acquire:
		return "acquire";
	case memory_order_release:
		return "release";
	case memory_order_acq_rel:
		return "acq_rel";
	case memory_order_seq_cst:
		return "seq_cst";
	}
	return "?";
}

static void print_lines(void)
{
	uint32_t first = line_count > SHOWN ? line_count - SHOWN : 0;

	for (uint32_t i = first; i < line_count; i++) {
		const struct trace_line *line = &lines[i % LINES];

		printf("  %*s%d: %s %s %#lx = %#lx  ", 2 * line->thread, "", line->thread,
		    line->what, order_name(line->order), (unsigned long)line->address,
		    (unsigned long)line->value);
		site_print(stdout, line->place);
		printf("\n");
	}
}

_Noreturn void report_failure(const void *place, const char *format, ...)
{
	va_list arguments;

	has_failed = true;
	if (!report_is_quiet)
		print_lines();
	printf("%s: ", check_current->name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	if (place != NULL) {
		printf(" at ");
		site_print(stdout, place);
	}
	printf("\n");
	if (!report_is_quiet) {
		printf("  again: --trail ");
		search_print_trail(stdout);
		printf("\n");
	}
	threads_abandon();
}

void check_failed(const char *file, int line, const char *text)
{
	report_failure(NULL, "%s:%d: EXPECT(%s) does not hold", file, line, text);
}

void check_outcome(const char *text)
{
	for (uint32_t i = 0; i < outcome_count; i++)
		if (strcmp(outcomes[i], text) == 0)
			return;
	if (outcome_count == OUTCOMES)
		report_failure(NULL, "more than %d outcomes", OUTCOMES);
	snprintf(outcomes[outcome_count++], OUTCOME_LENGTH, "%s", text);
}

void report_print_outcomes(FILE *out)
{
	for (uint32_t i = 0; i < outcome_count; i++)
		fprintf(out, "%s\n", outcomes[i]);
}
