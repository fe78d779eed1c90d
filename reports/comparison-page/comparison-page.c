/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of the page, its header, and its sections in order. */
#include "comparison-page.h"

#include <stdlib.h>

#include "memory.h"

static const char *program_of(const struct comparison_side *side)
{
	return page_title(&side->runs->runs[0].summary);
}

/* Writes the place of the runs: the first run's archive, and how many more there are. */
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
