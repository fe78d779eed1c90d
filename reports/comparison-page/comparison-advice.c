/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What changed, in sentences: the wall time and whether its change is more than noise, the regions
 * whose own time grew and shrank most, and regions that only one side has.
 */
#include <math.h>
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"
#include "region-name.h"

/* A change of own time below this share of the thread time is not worth a sentence. */
#define WORTH_SAYING 0.005

static void write_item(const struct page *page, char *sentence)
{
	fputs("<li>", page->out);
	page_write_sentence(page, sentence);
	fputs("</li>\n", page->out);
	free(sentence);
}

/* How certain a change of the wall time is, as the end of a sentence. */
static const char *describe_verdict(enum verdict verdict)
{
	if (verdict == VERDICT_UNKNOWN)
		return ".";
	if (comparison_has_changed(verdict))
		return ", more than chance explains.";
	return ": no more than the runs differ among themselves, or less than 1% of the thread "
	       "time.";
}

static void write_wall(const struct comparison_page *page)
{
	const struct diff_comparison *comparison = page->comparison;
	enum verdict verdict = comparison_verdict(comparison, &comparison->whole);
	double ratio = comparison->whole.verdicts.time.ratio;
	char from[SUMMARY_FIGURE_SIZE], to[SUMMARY_FIGURE_SIZE];
	char *unknown = comparison_why_unknown(comparison);

	summary_format_time(from, diff_median(comparison->a.walls, comparison->a.count));
	summary_format_time(to, diff_median(comparison->b.walls, comparison->b.count));
	if (ratio < 0 || fabs(ratio - 1) < 0.0005)
		write_item(&page->sides[0].page,
		    memory_print("The wall time was %s before and is %s after.", from, to));
	else
		write_item(&page->sides[0].page,
		    memory_print("The wall time %s by %.1f%%, from %s to %s%s",
			ratio > 1 ? "grew" : "shrank", fabs(ratio - 1) * 100, from, to,
			describe_verdict(verdict)));
	if (unknown)
		write_item(&page->sides[0].page, unknown);
}

static uint64_t known(uint64_t value)
{
	return value == SUMMARY_NOT_MEASURED ? 0 : value;
}

/* A row's times and waits before and after. */
struct times {
	uint64_t own_before, own_after, wait_before, wait_after;
};

static struct times times_of(const struct comparison_page *page, const struct diff_row *row)
{
	const struct diff_region *a = row->a, *b = row->b;

	return (struct times){
	    .own_before = known(comparison_median(a ? a->own : NULL, page->sides[0].runs)),
	    .own_after = known(comparison_median(b ? b->own : NULL, page->sides[1].runs)),
	    .wait_before = known(comparison_median(a ? a->waits : NULL, page->sides[0].runs)),
	    .wait_after = known(comparison_median(b ? b->waits : NULL, page->sides[1].runs)),
	};
}

/*
 * The region of both sides whose own time grew most or, for a negative sign, shrank most; or NULL.
 */
static const struct diff_row *find_most(const struct comparison_page *page, int sign)
{
	const struct diff_comparison *comparison = page->comparison;
	int64_t most = (int64_t)((double)comparison->time_whole * WORTH_SAYING);
	const struct diff_row *found = NULL;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct diff_row *row = &comparison->rows[i];
		struct times times = times_of(page, row);
		int64_t change = ((int64_t)times.own_after - (int64_t)times.own_before) * sign;

		if (!row->a || !row->b || change <= most)
			continue;
		most = change;
		found = row;
	}
	return found;
}

/* "; its waits are 38ms of that", if the waits changed in the same direction. */
static char *describe_waits(const struct times *times, int sign)
{
	int64_t change = ((int64_t)times->wait_after - (int64_t)times->wait_before) * sign;
	char text[SUMMARY_FIGURE_SIZE];

	if (change <= 0)
		return memory_copy_text("");
	return memory_print("; its waits %s by %s", sign > 0 ? "grew" : "shrank",
	    summary_format_time(text, (uint64_t)change));
}

static void write_most(const struct comparison_page *page, int sign)
{
	const struct diff_row *row = find_most(page, sign);
	char change[SUMMARY_FIGURE_SIZE], from[SUMMARY_FIGURE_SIZE], to[SUMMARY_FIGURE_SIZE];
	struct times times;
	char *name, *waits, *sure;
	enum verdict verdict;

	if (!row)
		return;
	times = times_of(page, row);
	name = report_region_name(row->region);
	waits = describe_waits(&times, sign);
	verdict = comparison_verdict(page->comparison, row);
	/* There is a separate sentence if noise is unknown. */
	sure = verdict == VERDICT_UNKNOWN ? memory_copy_text("")
	       : comparison_has_changed(verdict)
		   ? memory_copy_text(" (more than chance explains)")
		   : memory_print(" (%s)", comparison_verdict_names[verdict]);
	write_item(&page->sides[0].page,
	    memory_print("%s %s most: by %s of thread time of its own, from %s to %s%s%s.", name,
		sign > 0 ? "grew" : "shrank",
		summary_format_time(change, sign > 0 ? times.own_after - times.own_before
						     : times.own_before - times.own_after),
		summary_format_time(from, times.own_before),
		summary_format_time(to, times.own_after), waits, sure));
	free(sure);
	free(name);
	free(waits);
}

/* Writes about regions that only one side has, naming the one that takes most time. */
static void write_unmatched(const struct comparison_page *page, bool is_new)
{
	const struct diff_comparison *comparison = page->comparison;
	const struct diff_row *most = NULL;
	char text[SUMMARY_FIGURE_SIZE];
	uint64_t greatest = 0;
	size_t count = 0;
	char *name;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct diff_row *row = &comparison->rows[i];
		const struct diff_region *own = is_new ? row->b : row->a;
		uint64_t time;

		if (!own || (is_new ? row->a : row->b))
			continue;
		time = comparison_median(own->times, page->sides[is_new].runs);
		if (!most || time > greatest) {
			most = row;
			greatest = time;
		}
		count++;
	}
	if (!most)
		return;
	name = report_region_name(most->region);
	summary_format_time(text, greatest);
	write_item(&page->sides[0].page,
	    count == 1 ? memory_print("%s is %s, with %s of thread time.", name,
			     is_new ? "new" : "gone", text)
		       : memory_print("%zu regions are %s; %s has most of their time, %s.", count,
			     is_new ? "new" : "gone", name, text));
	free(name);
}

void comparison_write_advice(const struct comparison_page *page)
{
	const struct page *out = &page->sides[0].page;
	uint64_t before = page->sides[0].runs->runs[0].summary.threads;
	uint64_t after = page->sides[1].runs->runs[0].summary.threads;

	fputs("<section class=\"advice\" aria-labelledby=\"advice\">\n"
	      "<h2 id=\"advice\">What changed</h2>\n<ol>\n",
	    out->out);
	write_wall(page);
	write_most(page, 1);
	write_most(page, -1);
	write_unmatched(page, true);
	write_unmatched(page, false);
	if (before != after)
		write_item(out, memory_print("The runs have %llu threads before and %llu after: "
					     "ompreport scaling compares such runs.",
				    (unsigned long long)before, (unsigned long long)after));
	fputs("</ol>\n</section>\n", out->out);
}
