/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runs of both sides: a point for each wall time on one scale, with the median as a line; a
 * table of the same; and the timelines of a typical run of each side, one below the other on one
 * scale.
 */
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"

/* The smallest and the greatest wall time of all runs. */
struct range {
	uint64_t least, greatest;
};

static struct range range_of(const struct comparison_page *page)
{
	struct range range = {UINT64_MAX, 0};

	for (int i = 0; i < SIDES; i++) {
		const struct diff_side *runs = page->sides[i].runs;

		for (size_t j = 0; j < runs->count; j++) {
			uint64_t wall = runs->walls[j];

			range.least = wall < range.least ? wall : range.least;
			range.greatest = wall > range.greatest ? wall : range.greatest;
		}
	}
	return range;
}

/* The place in percent of the width; the middle if all are equal. */
static double place_of(const struct range *range, uint64_t wall)
{
	if (range->greatest == range->least)
		return 50;
	return 100 * (double)(wall - range->least) / (double)(range->greatest - range->least);
}

static void write_strip(const struct comparison_side *side, const struct range *range)
{
	const struct diff_side *runs = side->runs;
	uint64_t median = diff_median(runs->walls, runs->count);
	FILE *out = side->page.out;
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(out, "<span>%s</span><div class=\"strip\"><b style=\"left:%.2f%%\"></b>",
	    side->title, place_of(range, median));
	for (size_t i = 0; i < runs->count; i++)
		fprintf(out, "<i style=\"left:%.2f%%\" title=\"run %zu: %s\"></i>",
		    place_of(range, runs->walls[i]), i + 1,
		    summary_format_time(text, runs->walls[i]));
	fputs("</div>\n", out);
}

static void write_strips(const struct comparison_page *page)
{
	FILE *out = page->sides[0].page.out;
	struct range range = range_of(page);
	char text[SUMMARY_FIGURE_SIZE];

	fputs("<div class=\"strips\" aria-hidden=\"true\">\n", out);
	for (int i = 0; i < SIDES; i++)
		write_strip(&page->sides[i], &range);
	fputs("<div class=\"scale\">", out);
	for (uint64_t i = 0; i <= 4 && (i == 0 || range.greatest > range.least); i++)
		fprintf(out, "<span style=\"left:%d%%\">%s</span>",
		    range.greatest > range.least ? (int)i * 25 : 50,
		    summary_format_time(
			text, range.least + (range.greatest - range.least) * i / 4));
	fputs("</div>\n</div>\n", out);
}

static void write_run(const struct comparison_side *side, size_t run, uint64_t longest)
{
	const struct report *report = &side->runs->runs[run];
	const struct page *page = &side->page;
	char text[SUMMARY_FIGURE_SIZE];
	double share = report->figures.total;

	fprintf(page->out, "<tr><td data-v=\"%s %06zu\">%s, run %zu</td>", side->title, run + 1,
	    side->title, run + 1);
	page_write_time(page, side->runs->walls[run], longest);
	fprintf(page->out, "<td data-v=\"%.6f\">%s</td>", share, summary_format_share(text, share));
	fputs("<td class=\"place\">", page->out);
	page_write_name(page, report->archive->path);
	fputs("</td></tr>\n", page->out);
}

void comparison_write_runs(const struct comparison_page *page)
{
	static const struct page_column columns[] = {
	    {"run", NULL}, {"wall time", NULL}, {"efficiency", NULL}, {"archive", NULL}};
	const struct page *out = &page->sides[0].page;
	size_t count = page->sides[0].runs->count + page->sides[1].runs->count, shown = 0;

	if (!diff_has_several_runs(page->comparison))
		return;
	fputs("<section aria-labelledby=\"strips\">\n<h2 id=\"strips\">Wall times <small>a point "
	      "for each run, a line for the median; the scale does not begin at 0</small></h2>\n",
	    out->out);
	write_strips(page);
	fputs("</section>\n", out->out);
	page_start_table(out, "runs", "Runs", "", columns, sizeof(columns) / sizeof(columns[0]));
	for (int i = 0; i < SIDES; i++) {
		for (size_t j = 0; j < page->sides[i].runs->count && shown < PAGE_ROWS_MAX; j++) {
			write_run(&page->sides[i], j, range_of(page).greatest);
			shown++;
		}
	}
	page_end_table(out, shown, count, "diff");
}

static uint64_t length_of(const struct page *page)
{
	return analysis_nanoseconds(page->analysis, page->analysis->timeline->length);
}

static void write_timeline(const struct comparison_side *side, uint64_t longest, bool first)
{
	const struct page *page = &side->page;
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<h3>%s, %s", side->title,
	    summary_format_time(text, side->runs->walls[side->shown]));
	if (side->runs->count > 1)
		fprintf(page->out, " <small>run %zu, the one next to the median</small>",
		    side->shown + 1);
	fputs("</h3>\n", page->out);
	page_write_picture(page, (double)length_of(page) / (double)longest, first);
}

void comparison_write_timelines(const struct comparison_page *page)
{
	const struct page *one = &page->sides[0].page, *other = &page->sides[1].page;
	uint64_t longest = length_of(one) > length_of(other) ? length_of(one) : length_of(other);
	size_t lanes =
	    one->rows->lanes > other->rows->lanes ? one->rows->lanes : other->rows->lanes;
	uint64_t begin = analysis_nanoseconds(
	    one->analysis, one->analysis->timeline->start - one->analysis->archive->clock_start);

	fputs("<section aria-labelledby=\"timelines\">\n<h2 id=\"timelines\">Timelines <small>both "
	      "on one scale of time</small></h2>\n",
	    one->out);
	page_write_legend(one, other);
	fprintf(one->out, "<div class=\"timeline multiples\" style=\"--row:%.1frem\">\n",
	    page_row_height(lanes));
	for (int i = 0; i < SIDES; i++)
		write_timeline(&page->sides[i], longest, i == 0);
	page_write_axis(one, begin, longest);
	fputs("</div>\n</section>\n", one->out);
}
