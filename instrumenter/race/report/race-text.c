/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report as text for people. */
#include "race-report.h"

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

static void print_source(FILE *out, const char *source)
{
	if (source[0] != '\0')
		fprintf(out, "      %s\n", source);
}

static void print_side(
    FILE *out, const struct race_side *side, const struct race_words *words, int index)
{
	const struct race_position *at = &words->relation.at[index];

	fprintf(out, "  %s", words->place[index]);
	if (side->line.file != NULL && side->line.column > 0)
		fprintf(out, ":%d", side->line.column);
	if (side->line.function != NULL)
		fprintf(out, " in %s", side->line.function);
	fprintf(out, " %s%s%s", words->verb[index], words->expression[index] != NULL ? " " : "",
	    words->expression[index] != NULL ? words->expression[index] : "");
	if (at->innermost != NULL)
		fprintf(out, ", in '%s' at %s:%d", at->innermost->name,
		    race_short_path(at->innermost_text->path), at->innermost->line);
	fputc('\n', out);
	print_source(out, words->source[index]);
}

static void print_finding(
    const struct race_report_input *input, size_t index, bool colour, FILE *out)
{
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];

	fprintf(out, "%s%s%s%s\n", colour ? "\033[1m" : "",
	    finding->by_threads ? "race: " : "only between tasks of one thread: ", words->title,
	    colour ? "\033[0m" : "");
	print_side(out, &finding->side[0], words, 0);
	if (!finding->one_place)
		print_side(out, &finding->side[1], words, 1);
	if (words->object != NULL)
		fprintf(out, "  the memory: %s\n", words->object);
	if (words->sharing != NULL)
		fprintf(out, "  shared: %s\n", words->sharing);
	for (unsigned i = 0; i < words->remedy_count; i++)
		fprintf(out, "  %s%s\n", i == 0 ? "fix: " : " or: ", words->remedies[i]);
	fprintf(out, "  seen in %u of %u run%s\n\n", finding->run_count, input->run_count,
	    input->run_count == 1 ? "" : "s");
}

static void print_difference(const struct race_report_input *input, FILE *out)
{
	const struct race_results *results = input->results;
	const struct race_difference *difference = &results->difference;
	const struct race_run *left = &input->runs[results->left];
	const struct race_run *right = &input->runs[results->right];

	fprintf(out, "  run %u with %u threads and run %u with %u threads", results->left + 1,
	    left->threads, results->right + 1, right->threads);
	if (results->by_status) {
		fprintf(out, " end with status %d and %d\n", left->status, right->status);
		return;
	}
	if (difference->left == NULL && difference->right == NULL) {
		fprintf(out, ": one of them did not write the file\n");
		return;
	}
	fprintf(out, " differ first in line %d:\n", difference->line);
	fprintf(out, "      %s\n",
	    difference->left != NULL ? difference->left : "(the first one has ended)");
	fprintf(out, "      %s\n",
	    difference->right != NULL ? difference->right : "(the second one has ended)");
	if (difference->is_numeric)
		fprintf(out, "  the relative difference is %.2g\n", difference->relative);
}

static void print_results(const struct race_report_input *input, FILE *out)
{
	static const struct {
		enum race_variation variation;
		const char *text;
	} rows[] = {
	    {RACE_VARIES_ALONE, "with one thread"},
	    {RACE_VARIES_REPEATED, "from run to run with the same settings"},
	    {RACE_VARIES_BY_ORDER, "between orders at one number of threads"},
	    {RACE_VARIES_BY_THREADS, "between numbers of threads"},
	};
	const struct race_results *results = input->results;
	const char *separator = " ";

	if (!results->is_wanted)
		return;
	if (results->variations == 0) {
		fprintf(out, "ompinst race: the results are the same in all runs\n");
		return;
	}
	fprintf(out, "ompinst race: the results differ");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if ((results->variations & rows[i].variation) != 0) {
			fprintf(out, "%s%s", separator, rows[i].text);
			separator = ", ";
		}
	fputc('\n', out);
	print_difference(input, out);
	for (unsigned i = 0; i < results->responsible_count; i++)
		fprintf(out, "  %s%s\n", i == 0 ? "responsible may be: " : "                 or: ",
		    results->responsible[i]);
}

/* Prints how many findings were left out, and which option lists them. */
static void print_left_out(const struct race_report_input *input, size_t number, FILE *out)
{
	size_t others = input->findings->count - number;

	if (others > 0 && !input->all)
		fprintf(out,
		    "%zu more were only seen between tasks that one thread executed, and may be "
		    "about memory of that thread: --all lists them\n",
		    others);
	if (input->all && input->findings->of_runtime > 0)
		fprintf(out,
		    "%zu reports were about code of the runtime, a tool or the compiler alone\n",
		    input->findings->of_runtime);
	if (input->no_lines && input->findings->count > 0)
		fprintf(out,
		    "'%s' is without debug information: places are addresses in its file; build it "
		    "with 'ompinst race gcc ...' or -g, and do not strip it\n",
		    input->program);
}

void race_report_text(const struct race_report_input *input, bool colour, FILE *out)
{
	const struct race_findings *findings = input->findings;
	size_t number = race_report_count(findings);

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].by_threads || input->all)
			print_finding(input, i, colour, out);
	if (number == 0)
		fprintf(out, "ompinst race: no races found in '%s' (%s)\n", input->program,
		    race_report_runs(input));
	else
		fprintf(out, "ompinst race: %zu race%s in '%s' (%s)\n", number,
		    number == 1 ? "" : "s", input->program, race_report_runs(input));
	print_left_out(input, number, out);
	print_results(input, out);
}
