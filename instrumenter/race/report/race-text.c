/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report as text for people. */
#include "race-report.h"

#include <string.h>

size_t race_report_count(const struct race_findings *findings)
{
	return race_standing_count(findings, RACE_COUNTS);
}

/* "3 runs with 8, 3 and 2 threads" */
static const char *runs_of(const struct race_report_input *input)
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
	if (input->input_count > 0)
		buffer_format(&text, " and %zu input%s", input->input_count,
		    input->input_count == 1 ? "" : "s");
	return text.data;
}

static const char *noun_of(const struct race_report_input *input)
{
	return input->memory ? "memory error" : "race";
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

/* The further places that the finding's remedy fixes. */
static void print_further_places(const struct race_report_input *input, size_t index, FILE *out)
{
	for (size_t i = index + 1; i < input->findings->count; i++) {
		const struct race_words *words = &input->words[i];
		if (input->findings->items[i].cause != index)
			continue;
		for (int side = 0; side < 2 - input->findings->items[i].one_place; side++)
			fprintf(out, "%s%s %s%s%s", side == 0 ? "  also: " : ", ",
			    words->place[side], words->verb[side],
			    words->expression[side] != NULL ? " " : "",
			    words->expression[side] != NULL ? words->expression[side] : "");
		fputc('\n', out);
	}
}

static void print_finding(
    const struct race_report_input *input, size_t index, bool colour, FILE *out)
{
	static const char *const heads[RACE_STANDING_COUNT] = {[RACE_COUNTS] = "race: ",
	    [RACE_OF_ONE_THREAD] = "only between tasks of one thread: ",
	    [RACE_ALLOWED] = "allowed: ",
	    [RACE_SUPPRESSED] = "suppressed: ",
	    [RACE_KNOWN] = "known: ",
	    [RACE_UNCHANGED] = "unchanged: "};
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];

	const bool memory = finding->memory.kind != RACE_NO_MEMORY_ERROR &&
			    finding->verdict.standing == RACE_COUNTS;

	fprintf(out, "%s%s%s%s\n", colour ? "\033[1m" : "",
	    memory ? "memory: " : heads[finding->verdict.standing], words->title,
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
	if (finding->verdict.standing == RACE_ALLOWED ||
	    finding->verdict.standing == RACE_SUPPRESSED)
		fprintf(out, "  %s at %s\n", race_standing_names[finding->verdict.standing],
		    finding->verdict.reason);
	print_further_places(input, index, out);
	fprintf(out, "  seen in %u of %u run%s", finding->seen.count, input->run_count,
	    input->run_count == 1 ? "" : "s");
	race_seen_text(input, &finding->seen, out);
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

/* "2 races and 1 deadlock" with this standing; NULL: there are none. */
static const char *taken_out_text(
    const struct race_report_input *input, enum race_standing standing, const char *adjective)
{
	const size_t races = race_cause_count(input->findings, standing);
	const size_t deadlocks = race_deadlock_count(input->deadlocks, standing);
	struct inst_buffer text = {.arena = input->arena};

	if (races > 0 || deadlocks == 0)
		buffer_format(
		    &text, "%zu %s%s%s", races, adjective, noun_of(input), races == 1 ? "" : "s");
	if (deadlocks > 0)
		buffer_format(&text, "%s%zu %sdeadlock%s", races > 0 ? " and " : "", deadlocks,
		    adjective, deadlocks == 1 ? "" : "s");
	return races > 0 || deadlocks > 0 || standing == RACE_KNOWN ? text.data : NULL;
}

/* Prints which findings the user has taken out, and with --all which comments took out none. */
static void print_taken_out(const struct race_report_input *input, FILE *out)
{
	const char *allowed = taken_out_text(input, RACE_ALLOWED, "");
	const char *suppressed = taken_out_text(input, RACE_SUPPRESSED, "");
	const char *known = taken_out_text(input, RACE_KNOWN, "known ");
	const char *unchanged = taken_out_text(input, RACE_UNCHANGED, "");
	const char *list = input->options->all ? "" : ": --all lists them";

	if (allowed != NULL)
		fprintf(out, "%s allowed by comments%s\n", allowed, list);
	if (suppressed != NULL)
		fprintf(out, "%s suppressed%s\n", suppressed, list);
	if (input->options->baseline != NULL)
		fprintf(out, "%s (of %s)%s\n", known, input->options->baseline,
		    known[0] != '0' ? list : "");
	if (unchanged != NULL)
		fprintf(out, "%s in lines that have not changed since %s%s\n", unchanged,
		    input->options->since, list);
	for (size_t i = 0; i < input->unused_count; i++)
		fprintf(out, "%s:%d: allows a race, and none was found there%s%s\n",
		    race_short_path(input->unused[i].file), input->unused[i].line,
		    input->unused[i].reason[0] != '\0' ? ": " : "", input->unused[i].reason);
}

/* Prints how many findings were left out, and which option lists them. */
static void print_left_out(const struct race_report_input *input, FILE *out)
{
	const size_t others = race_standing_count(input->findings, RACE_OF_ONE_THREAD);

	if (others > 0 && !input->options->all)
		fprintf(out,
		    "%zu more were only seen between tasks that one thread executed, and may be "
		    "about memory of that thread: --all lists them\n",
		    others);
	if (input->options->all && input->findings->of_runtime > 0)
		fprintf(out,
		    "%zu reports were about code of the runtime, a tool or the compiler alone\n",
		    input->findings->of_runtime);
	if (input->no_lines && input->findings->count > 0)
		fprintf(out,
		    "'%s' is without debug information: places are addresses in its file; build it "
		    "with 'ompinst race gcc ...' or -g, and do not strip it\n",
		    input->program);
}

/* "2 races", or "2 races at 5 places" if one of them has further places. */
static const char *count_text(const struct race_report_input *input)
{
	const size_t races = race_cause_count(input->findings, RACE_COUNTS);
	const char *text =
	    arena_format(input->arena, "%zu %s%s", races, noun_of(input), races == 1 ? "" : "s");

	if (races == race_report_count(input->findings))
		return text;
	return arena_format(input->arena, "%s at %zu places", text,
	    race_place_count(input->findings, input->words));
}

void race_report_summary(const struct race_report_input *input, FILE *out)
{
	const struct race_findings *findings = input->findings;
	const size_t number = race_report_count(findings);
	const size_t deadlocks = race_deadlock_count(input->deadlocks, RACE_COUNTS);
	const size_t taken_out =
	    findings->count - number - race_standing_count(findings, RACE_OF_ONE_THREAD);

	if (number == 0)
		fprintf(out, "ompinst race: no %s%ss%s", taken_out > 0 ? "other " : "",
		    noun_of(input), taken_out > 0 ? "" : " found");
	else
		fprintf(out, "ompinst race: %s", count_text(input));
	if (deadlocks > 0)
		fprintf(out, "%s%zu possible deadlock%s", number == 0 ? ", but " : " and ",
		    deadlocks, deadlocks == 1 ? "" : "s");
	fprintf(out, " in '%s' (%s)\n", input->program, runs_of(input));
	print_taken_out(input, out);
	print_left_out(input, out);
	print_results(input, out);
}

void race_report_text(const struct race_report_input *input, bool colour, FILE *out)
{
	const struct race_findings *findings = input->findings;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].cause == i &&
		    (findings->items[i].verdict.standing == RACE_COUNTS || input->options->all))
			print_finding(input, i, colour, out);
	race_deadlocks_text(input, colour, out);
	race_report_summary(input, out);
}
