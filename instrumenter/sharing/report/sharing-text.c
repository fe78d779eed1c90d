/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report as text for people. */
#include "sharing-report.h"

#include "explanation.h"

#include <inttypes.h>

enum { MOST_PLACES = 6 };

size_t sharing_count(const struct sharing_report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->findings->count; i++)
		count += sharing_counts(&report->findings->items[i], report->options->least);
	return count;
}

/* "1234", "59.5 million" */
static const char *amount(struct inst_arena *arena, uint64_t number)
{
	if (number < 100000)
		return arena_format(arena, "%" PRIu64, number);
	if (number < 1000000000)
		return arena_format(arena, "%.1f million", 1e-6 * (double)number);
	return arena_format(arena, "%.1f thousand million", 1e-9 * (double)number);
}

static void print_place(
    const struct sharing_report *report, const struct sharing_place *place, FILE *out)
{
	const char *verb = place->writes == 0  ? "reads"
			   : place->reads == 0 ? "writes"
					       : "reads and writes";

	fprintf(out, "  %s", sharing_place_text(report->arena, place));
	if (place->line.file != NULL && place->line.column > 0)
		fprintf(out, ":%d", place->line.column);
	if (place->line.function != NULL)
		fprintf(out, " in %s", place->line.function);
	fprintf(out, " %s%s%s", verb, place->expression != NULL ? " " : "",
	    place->expression != NULL ? place->expression : "");
	if (place->construct != NULL)
		fprintf(out, ", in '%s' at %s:%d", place->construct->name,
		    race_short_path(place->text->path), place->construct->line);
	fprintf(out, ": %s, %s times\n", sharing_members_text(report->arena, place->members),
	    amount(report->arena, place->reads + place->writes));
	if (place->source != NULL && place->source[0] != '\0')
		fprintf(out, "      %s\n", place->source);
}

/* Places with a hundredth of the accesses say nothing more. */
static void print_places(
    const struct sharing_report *report, const struct sharing_finding *finding, FILE *out)
{
	uint64_t most = 0;

	for (size_t i = 0; i < finding->place_count && i < MOST_PLACES; i++) {
		const struct sharing_place *place = &finding->places[i];
		const uint64_t all = place->reads + place->writes;
		most = all > most ? all : most;
		if (all * 100 >= most)
			print_place(report, place, out);
	}
}

static void print_finding(const struct sharing_report *report,
    const struct sharing_finding *finding, bool colour, FILE *out)
{
	const struct sharing_words words = sharing_describe(report, finding);

	static const char *const heads[] = {"false sharing", "true sharing", "possible"};

	fprintf(out, "%s%s: %s%s\n", colour ? "\033[1m" : "", heads[finding->kind], words.title,
	    colour ? "\033[0m" : "");
	print_places(report, finding, out);
	fprintf(out, "  the memory: %s\n", words.object);
	if (finding->kind != SHARING_POSSIBLE)
		fprintf(out,
		    "  cost: about %.2g s of processor time, %.0f %% of the program's; the lines can have "
		    "changed their thread %s times\n",
		    finding->seconds, 100 * finding->share,
		    amount(report->arena, finding->transfers));
	if (finding->unproved != NULL)
		fprintf(out, "  proof: not tried: %s\n", finding->unproved);
	else if (finding->before > 0)
		fprintf(out,
		    "  proof: with each block in lines of its own the program takes %.3g s of "
		    "processor time, in place of %.3g s\n",
		    finding->after, finding->before);
	for (unsigned i = 0; i < words.remedy_count; i++)
		fprintf(out, "  %s%s\n", i == 0 ? "fix: " : " or: ", words.remedies[i]);
}

static void print_summary(const struct sharing_report *report, FILE *out)
{
	const struct sharing_reports *reports = report->reports;
	size_t kinds[SHARING_KINDS] = {0}, others = 0;

	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (sharing_counts(finding, report->options->least))
			kinds[finding->kind]++;
		else if (finding->kind != SHARING_POSSIBLE)
			others++;
	}
	fprintf(out, "ompinst sharing: %zu false and %zu true sharing that cost%s %u %% or more",
	    kinds[SHARING_FALSE], kinds[SHARING_TRUE],
	    kinds[SHARING_FALSE] + kinds[SHARING_TRUE] == 1 ? "s" : "", report->options->least);
	if (others > 0)
		fprintf(out, "; %zu shared object%s that cost%s less%s", others,
		    others == 1 ? "" : "s", others == 1 ? "s" : "",
		    report->options->all ? "" : " (--all lists them)");
	fprintf(out, "\n  %s accesses of %u thread%s were noted in %.2g s\n",
	    amount(report->arena, reports->calls), reports->threads,
	    reports->threads == 1 ? "" : "s", reports->wall);
	if (report->measured != NULL)
		fprintf(out, "  a transfer of a line costs %s here\n", report->measured);
	if (reports->refused > 0)
		fprintf(out,
		    "  %s shared lines were left out, because their records would have taken too "
		    "much memory\n",
		    amount(report->arena, reports->refused));
}

void sharing_report_text(const struct sharing_report *report, bool colour, FILE *out)
{
	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (report->options->all || sharing_counts(finding, report->options->least))
			print_finding(report, finding, colour, out);
	}
	print_summary(report, out);
}
