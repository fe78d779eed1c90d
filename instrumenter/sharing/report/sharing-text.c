/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report as text for people. */
#include "sharing-report.h"

#include "explanation.h"
#include "first-touch-report.h"
#include "moved-report.h"

#include <inttypes.h>

size_t sharing_count(const struct sharing_report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->findings->count; i++)
		count += sharing_counts(&report->findings->items[i], report->options->least);
	return count;
}

bool sharing_is_shown(const struct sharing_report *report, const struct sharing_finding *finding)
{
	return report->options->all || sharing_counts(finding, report->options->least);
}

static void print_place(
    const struct sharing_report *report, const struct sharing_place *place, FILE *out)
{
	fprintf(out, "  %s", sharing_place_text(report->arena, place));
	if (place->line.file != NULL && place->line.column > 0)
		fprintf(out, ":%d", place->line.column);
	if (place->line.function != NULL)
		fprintf(out, " in %s", place->line.function);
	fprintf(out, " %s\n", sharing_access_text(report->arena, place));
	if (place->source != NULL && place->source[0] != '\0')
		fprintf(out, "      %s\n", place->source);
}

static void print_places(
    const struct sharing_report *report, const struct sharing_finding *finding, FILE *out)
{
	const struct sharing_place *places[SHARING_MOST_PLACES];
	const size_t count = sharing_main_places(finding, places);

	for (size_t i = 0; i < count; i++)
		print_place(report, places[i], out);
}

static void print_finding(const struct sharing_report *report,
    const struct sharing_finding *finding, bool colour, FILE *out)
{
	const struct sharing_words words = sharing_describe(report, finding);

	fprintf(out, "%s%s: %s%s\n", colour ? "\033[1m" : "", sharing_kinds[finding->kind].head,
	    words.title, colour ? "\033[0m" : "");
	if (finding->touch != NULL)
		first_touch_print(report->arena, finding, out);
	print_places(report, finding, out);
	fprintf(out, "  the memory: %s\n", words.object);
	if (finding->kind == SHARING_MOVED)
		moved_print(report, finding, out);
	if (words.cost != NULL)
		fprintf(out, "  cost: %s\n", words.cost);
	if (words.proof != NULL)
		fprintf(out, "  proof: %s\n", words.proof);
	for (unsigned i = 0; i < words.remedy_count; i++)
		fprintf(out, "  %s%s\n", i == 0 ? "fix: " : " or: ", words.remedies[i]);
}

void sharing_report_summary(const struct sharing_report *report, FILE *out)
{
	const struct sharing_reports *reports = report->reports;
	size_t kinds[SHARING_KINDS] = {0}, others = 0;

	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (sharing_counts(finding, report->options->least))
			kinds[finding->kind]++;
		else if (finding->kind != SHARING_POSSIBLE && finding->touch == NULL)
			others++;
	}
	fprintf(out, "ompinst sharing: %zu false and %zu true sharing that cost%s %u %% or more",
	    kinds[SHARING_FALSE], kinds[SHARING_TRUE],
	    kinds[SHARING_FALSE] + kinds[SHARING_TRUE] == 1 ? "s" : "", report->options->least);
	if (others > 0)
		fprintf(out, "; %zu shared object%s that cost%s less%s", others,
		    others == 1 ? "" : "s", others == 1 ? "s" : "",
		    report->options->all ? "" : " (--all lists them)");
	if (kinds[SHARING_MOVED] + report->findings->unlisted > 0)
		fprintf(out, "; %zu use%s of data that another thread had before%s",
		    kinds[SHARING_MOVED] + report->findings->unlisted,
		    kinds[SHARING_MOVED] + report->findings->unlisted == 1 ? "" : "s",
		    report->options->locality ? "" : " (--locality lists them)");
	fprintf(out, "\n  %s accesses of %u thread%s were noted in %.2g s\n",
	    sharing_amount(report->arena, reports->calls), reports->threads,
	    reports->threads == 1 ? "" : "s", reports->wall);
	if (report->plain->seconds > 0)
		fprintf(out,
		    "  '%s' takes %.3g s of processor time, and %.3g s on one processor, where no "
		    "line changes its processor%s\n",
		    report->options->plain, report->plain->seconds, report->plain->on_one,
		    sharing_plain_counts(report->plain)
			? ""
			: "; its threads seldom ran at the same time, so the costs are estimates");
	else if (report->plain->failed)
		fprintf(out, "  '%s' ended otherwise, so nothing was measured with it\n",
		    report->options->plain);
	if (report->measured != NULL)
		fprintf(out, "  a transfer of a line costs %s\n", report->measured);
	first_touch_print_summary(report, out);
	if (reports->refused > 0)
		fprintf(out,
		    "  %s shared lines were left out, because their records would have taken too "
		    "much memory\n",
		    sharing_amount(report->arena, reports->refused));
}

void sharing_report_text(const struct sharing_report *report, bool colour, FILE *out)
{
	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (sharing_is_shown(report, finding))
			print_finding(report, finding, colour, out);
	}
	sharing_report_summary(report, out);
}
