/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as text for people. */
#include "race-report.h"

#include <inttypes.h>
#include <string.h>

size_t race_report_count(const struct race_findings *findings)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].by_threads;
	return count;
}

const char *race_report_runs(const struct race_report_input *input)
{
	struct inst_buffer text = {.arena = input->arena};
	unsigned numbers[RACE_MOST_TEAM_SIZES], count = 0;

	for (unsigned i = 0; i < input->run_count; i++) {
		unsigned j = 0;
		while (j < count && numbers[j] != input->runs[i].threads)
			j++;
		if (j == count && count < RACE_MOST_TEAM_SIZES)
			numbers[count++] = input->runs[i].threads;
	}
	buffer_format(&text, "%u run%s with ", input->run_count, input->run_count == 1 ? "" : "s");
	for (unsigned i = 0; i < count; i++)
		buffer_format(&text, "%s%u",
		    i == 0           ? ""
		    : i + 1 == count ? " and "
				     : ", ",
		    numbers[i]);
	buffer_format(&text, " thread%s", count == 1 && numbers[0] == 1 ? "" : "s");
	return text.data;
}

static void print_side(FILE *out, const struct race_side *side)
{
	const char *what = side->writes ? (side->reads ? "reads and writes" : "writes") : "reads";

	fprintf(out, "  %s%s", what, side->atomic ? " atomically" : "");
	if (!side->is_known)
		fprintf(out, ": ThreadSanitizer has forgotten where");
	else if (side->line.file != NULL)
		fprintf(out, " at %s:%d:%d", side->line.file, side->line.line, side->line.column);
	else
		fprintf(out, " at %s+0x%" PRIx64, side->module, side->offset);
	if (side->line.function != NULL)
		fprintf(out, " in %s", side->line.function);
	if (side->called != NULL)
		fprintf(out, ", by %s() called there", side->called);
	fputc('\n', out);
}

static void print_object(FILE *out, const struct race_finding *finding)
{
	static const char *const kinds[] = {[RACE_PLACE_UNKNOWN] = NULL,
	    [RACE_PLACE_GLOBAL] = "a global variable",
	    [RACE_PLACE_HEAP] = "memory from the heap",
	    [RACE_PLACE_STACK] = "a variable on a thread's stack",
	    [RACE_PLACE_TLS] = "memory of one thread"};

	if (kinds[finding->place.kind] == NULL)
		return;
	fprintf(out, "  the object: %s", kinds[finding->place.kind]);
	if (finding->variable.name != NULL)
		fprintf(out, ", %s", finding->variable.name);
	if (finding->variable.file != NULL)
		fprintf(out, ", declared at %s:%d", finding->variable.file, finding->variable.line);
	if (finding->allocated.file != NULL)
		fprintf(
		    out, ", allocated at %s:%d", finding->allocated.file, finding->allocated.line);
	fputc('\n', out);
}

void race_report_text(const struct race_report_input *input, bool colour, FILE *out)
{
	const struct race_findings *findings = input->findings;
	size_t number = 0;

	(void)colour;
	for (size_t i = 0; i < findings->count; i++) {
		const struct race_finding *finding = &findings->items[i];
		if (!finding->by_threads && !input->all)
			continue;
		if (finding->by_threads)
			fprintf(out, "race %zu\n", ++number);
		else
			fprintf(out, "only between tasks of one thread\n");
		print_side(out, &finding->side[0]);
		print_side(out, &finding->side[1]);
		print_object(out, finding);
	}
	if (number == 0)
		fprintf(out, "ompinst race: no races found in '%s' (%s)\n", input->program,
		    race_report_runs(input));
	else
		fprintf(out, "ompinst race: %zu race%s in '%s' (%s)\n", number,
		    number == 1 ? "" : "s", input->program, race_report_runs(input));
	if (input->no_lines && number > 0)
		fprintf(out,
		    "'%s' is without debug information: places are addresses in its file; "
		    "build it with 'ompinst race gcc ...' or -g, and do not strip it\n",
		    input->program);
}
