/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of the regions of both sides, the greatest change first: medians over the runs of all
 * threads' time, and whether the change is more than noise.
 */
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"
#include "region-name.h"

static int64_t change_of(const struct comparison_page *page, const struct diff_row *row)
{
	return (int64_t)(comparison_median(row->b ? row->b->times : NULL, page->sides[1].runs) -
			 comparison_median(row->a ? row->a->times : NULL, page->sides[0].runs));
}

static uint64_t size_of(int64_t change)
{
	return change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
}

/*
 * Sorts rows that are judged as changed before the rest, and both groups by the size of the change.
 */
static int compare_rows(const void *first, const void *second, void *context)
{
	const struct comparison_page *page = context;
	const struct diff_row *one = *(const struct diff_row *const *)first;
	const struct diff_row *other = *(const struct diff_row *const *)second;
	bool changed = comparison_has_changed(comparison_verdict(page->comparison, one));
	uint64_t size = size_of(change_of(page, one)), least = size_of(change_of(page, other));

	if (changed != comparison_has_changed(comparison_verdict(page->comparison, other)))
		return changed ? -1 : 1;
	if (size != least)
		return size < least ? 1 : -1;
	return (one > other) - (one < other);
}

/* Writes the medians of both sides; "n/a" if a side lacks the region. */
static void write_pair(const struct comparison_page *page, const uint64_t *a, const uint64_t *b,
    uint64_t greatest, void (*write)(const struct page *page, uint64_t value, uint64_t greatest))
{
	const struct page *out = &page->sides[0].page;

	write(out, a ? comparison_median(a, page->sides[0].runs) : SUMMARY_NOT_MEASURED, greatest);
	write(out, b ? comparison_median(b, page->sides[1].runs) : SUMMARY_NOT_MEASURED, greatest);
}

static void write_count(const struct page *page, uint64_t count, uint64_t greatest)
{
	(void)greatest;
	page_write_count(page, count);
}

/*
 * The change of the time without nested regions but with waits: what changed in the region itself.
 */
static int64_t own_change(const struct comparison_page *page, const struct diff_row *row)
{
	uint64_t before = comparison_median(row->a ? row->a->own : NULL, page->sides[0].runs);
	uint64_t after = comparison_median(row->b ? row->b->own : NULL, page->sides[1].runs);

	return (int64_t)(after == SUMMARY_NOT_MEASURED ? 0 : after) -
	       (int64_t)(before == SUMMARY_NOT_MEASURED ? 0 : before);
}

/* The values that the columns' bars are shares of. */
struct greatest {
	uint64_t change, own, time;
	bool has_waits; /* some region has measured waits */
};

static bool has_waits(const struct diff_region *region, const struct diff_side *side)
{
	return region && diff_median(region->waits, side->count) != SUMMARY_NOT_MEASURED;
}

static struct greatest greatest_of(const struct comparison_page *page)
{
	const struct diff_comparison *comparison = page->comparison;
	struct greatest greatest = {0};

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct diff_row *row = &comparison->rows[i];
		uint64_t change = size_of(change_of(page, row)),
			 own = size_of(own_change(page, row));
		uint64_t a = comparison_median(row->a ? row->a->times : NULL, page->sides[0].runs);
		uint64_t b = comparison_median(row->b ? row->b->times : NULL, page->sides[1].runs);

		greatest.has_waits |= has_waits(row->a, page->sides[0].runs) ||
				      has_waits(row->b, page->sides[1].runs);
		greatest.change = change > greatest.change ? change : greatest.change;
		greatest.own = own > greatest.own ? own : greatest.own;
		greatest.time = a > greatest.time ? a : greatest.time;
		greatest.time = b > greatest.time ? b : greatest.time;
	}
	return greatest;
}

static void write_ratio(const struct page *page, double ratio)
{
	if (ratio < 0)
		fputs("<td data-v=\"-1\">n/a</td>", page->out);
	else
		fprintf(page->out, "<td data-v=\"%.6f\">%.2f</td>", ratio, ratio);
}

/* The verdict, with its chance as the title. */
static void write_verdict(const struct comparison_page *page, const struct diff_row *row)
{
	const struct page *out = &page->sides[0].page;
	enum verdict verdict = comparison_verdict(page->comparison, row);
	double chance = row->verdicts.time.chance;

	fputs("<td class=\"verdict\"", out->out);
	if (chance >= 0 && verdict == VERDICT_SLOWER)
		fprintf(out->out,
		    " title=\"where nothing changed, growth as clear has a chance of %.2g%%\"",
		    chance * 100);
	fprintf(out->out, ">%s</td>", comparison_verdict_names[verdict]);
}

static void write_row(
    const struct comparison_page *page, const struct diff_row *row, const struct greatest *greatest)
{
	const struct diff_region *a = row->a, *b = row->b;
	const struct page *out = &page->sides[0].page;
	char *name = report_region_name(row->region);

	fputs("<tr><th scope=\"row\" class=\"place\" title=\"", out->out);
	page_write_name(out, row->region->file ? row->region->file : "");
	fputs("\">", out->out);
	page_write_name(out, name);
	fputs("</th>", out->out);
	write_verdict(page, row);
	page_write_change(out, change_of(page, row), greatest->change);
	write_ratio(out, row->verdicts.time.ratio);
	page_write_change(out, own_change(page, row), greatest->own);
	write_pair(page, a ? a->times : NULL, b ? b->times : NULL, greatest->time, page_write_time);
	if (greatest->has_waits)
		write_pair(page, a ? a->waits : NULL, b ? b->waits : NULL, 0, page_write_time);
	write_pair(page, a ? a->visits : NULL, b ? b->visits : NULL, 0, write_count);
	fputs("</tr>\n", out->out);
	free(name);
}

static const struct page_column columns[] = {
    {"region", NULL},
    {"verdict", "whether chance explains the change"},
    {"change", "of the thread time"},
    {"after / before", "thread time"},
    {"own change", "of the thread time without nested regions, with waits"},
    {"time before", "thread time"},
    {"time after", "thread time"},
    {"wait before", "thread time"},
    {"wait after", "thread time"},
    {"calls before", "of all threads"},
    {"calls after", "of all threads"},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), FIRST_WAIT = 7, NEXT_TO_WAITS = 9 };

static void start_table(const struct comparison_page *page, const struct greatest *greatest)
{
	struct page_column shown[COLUMNS];
	size_t count = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		if (greatest->has_waits || i < FIRST_WAIT || i >= NEXT_TO_WAITS)
			shown[count++] = columns[i];
	}
	page_start_table(&page->sides[0].page, "regions", "Regions",
	    diff_has_several_runs(page->comparison)
		? "thread time, medians of the runs; own change: without nested regions, waits included"
		: "thread time; own change: without nested regions, waits included",
	    shown, count);
}

void comparison_write_regions(const struct comparison_page *page)
{
	const struct diff_comparison *comparison = page->comparison;
	const struct diff_row **order = memory_new(comparison->row_count, sizeof(order[0]));
	struct greatest greatest = greatest_of(page);
	size_t shown =
	    comparison->row_count < PAGE_ROWS_MAX ? comparison->row_count : PAGE_ROWS_MAX;

	for (size_t i = 0; i < comparison->row_count; i++)
		order[i] = &comparison->rows[i];
	qsort_r(order, comparison->row_count, sizeof(order[0]), compare_rows, (void *)page);
	if (shown > 0)
		start_table(page, &greatest);
	for (size_t i = 0; i < shown; i++)
		write_row(page, order[i], &greatest);
	if (shown > 0)
		page_end_table(&page->sides[0].page, shown, comparison->row_count, "diff");
	free(order);
}
