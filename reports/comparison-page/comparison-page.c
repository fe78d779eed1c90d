/* SPDX-License-Identifier: BSD-3-Clause */
/* The page's frame, its header, and what its sections share: medians and the words of verdicts. */
#include "comparison-page.h"

#include <stdlib.h>

#include "memory.h"
#include "rank-sum.h"

size_t comparison_page_typical_run(const struct diff_side *side)
{
	uint64_t median = diff_median(side->walls, side->count), least = UINT64_MAX;
	size_t typical = 0;

	for (size_t i = 0; i < side->count; i++) {
		uint64_t wall = side->walls[i];
		uint64_t distance = wall > median ? wall - median : median - wall;

		if (distance < least) {
			least = distance;
			typical = i;
		}
	}
	return typical;
}

uint64_t comparison_median(const uint64_t *values, const struct diff_side *side)
{
	return values ? diff_median(values, side->count) : 0;
}

/* Pairs are judged by differences, of which some may be many; samples by what their sizes show. */
char *comparison_why_unknown(const struct diff_comparison *comparison)
{
	size_t a = comparison->a.count, b = comparison->b.count;
	double least;

	if (!diff_has_several_runs(comparison))
		return memory_print(
		    "With one run on each side a change cannot be distinguished from noise: compare "
		    "several, made in turn: ompreport html BEFORE... vs AFTER...");
	least = comparison->rule.paired ? 1 / (double)(1ULL << (a < 60 ? a : 60))
					: rank_sum_least_chance(b, a);
	if (least <= comparison->options->chance * (1 + 1e-9))
		return NULL;
	return memory_print(
	    "%zu and %zu runs cannot show a change that chance explains in less than 1 of %.0f "
	    "cases: compare more runs, at least %s.",
	    a, b, 1 / least, comparison->rule.paired ? "five pairs" : "three on each side");
}

const char *const comparison_verdict_names[VERDICTS] = {
    [VERDICT_UNKNOWN] = "unknown",
    [VERDICT_NOISE] = "within noise",
    [VERDICT_UNDECIDED] = "undecided",
    [VERDICT_SLOWER] = "slower",
    [VERDICT_FASTER] = "faster",
    [VERDICT_NEW] = "new",
    [VERDICT_GONE] = "gone",
};

enum verdict comparison_verdict(
    const struct diff_comparison *comparison, const struct diff_row *row)
{
	char *unknown;

	if (row->region && !(row->a && row->b))
		return row->b ? VERDICT_NEW : VERDICT_GONE;
	unknown = comparison_why_unknown(comparison);
	free(unknown);
	return unknown                        ? VERDICT_UNKNOWN
	       : row->state == DIFF_SLOWER    ? VERDICT_SLOWER
	       : row->faster                  ? VERDICT_FASTER
	       : row->state == DIFF_UNDECIDED ? VERDICT_UNDECIDED
					      : VERDICT_NOISE;
}

bool comparison_has_changed(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER;
}

static const char *program_of(const struct comparison_side *side)
{
	return page_title(&side->runs->runs[0].summary);
}

/* Where the runs are: the first one's folder, and how many more there are. */
static void write_place(const struct comparison_side *side)
{
	const struct page *page = &side->page;

	fprintf(page->out, "%s: ", side->title);
	page_write_name(page, side->runs->runs[0].archive->path);
	if (side->runs->count > 1)
		fprintf(page->out, " and %zu more", side->runs->count - 1);
}

static void write_header(const struct comparison_page *page)
{
	const struct diff_verdict *wall = &page->comparison->whole.verdicts.time;
	const struct page *out = &page->sides[0].page;
	char text[SUMMARY_FIGURE_SIZE], label[64];

	fputs("<header>\n<h1>", out->out);
	page_write_name(out, program_of(&page->sides[1]));
	fputs(": before and after</h1>\n<p class=\"quiet\" style=\"margin:0.2rem 0 0\">", out->out);
	write_place(&page->sides[0]);
	fputs("<br>", out->out);
	write_place(&page->sides[1]);
	fputs("</p>\n<dl class=\"facts\">\n", out->out);
	for (int i = 0; i < SIDES; i++) {
		const struct diff_side *runs = page->sides[i].runs;

		snprintf(label, sizeof(label), "wall time %s", page->sides[i].title);
		page_write_fact(
		    out, label, summary_format_time(text, diff_median(runs->walls, runs->count)));
	}
	if (wall->ratio >= 0) {
		snprintf(text, sizeof(text), "%+.1f%%", (wall->ratio - 1) * 100);
		page_write_fact(out, "change", text);
		page_write_fact(out, "the change is",
		    comparison_verdict_names[comparison_verdict(
			page->comparison, &page->comparison->whole)]);
	}
	for (int i = 0; i < SIDES; i++) {
		double share = diff_median_share(page->sides[i].runs, diff_efficiency);

		snprintf(label, sizeof(label), "efficiency %s", page->sides[i].title);
		if (share >= 0)
			page_write_fact(out, label, summary_format_share(text, share));
	}
	fputs("</dl>\n</header>\n", out->out);
}

void comparison_page_write(const struct comparison_page *page)
{
	const struct page *out = &page->sides[0].page;
	char *title = memory_print("%s: before and after", program_of(&page->sides[1]));

	page_start(out, title);
	free(title);
	write_header(page);
	fputs("<main>\n", out->out);
	comparison_write_advice(page);
	comparison_write_figures(page);
	comparison_write_runs(page);
	comparison_write_timelines(page);
	comparison_write_regions(page);
	page_end(out);
}
