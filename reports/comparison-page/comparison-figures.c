/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wall time, efficiencies and the use of thread time, of both sides side by side; and, if a side
 * has several runs, the wall time of each as a point on one scale.
 */
#include <math.h>
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"

static double total_of(const struct report *run)
{
	return run->figures.total;
}

static double serial_of(const struct report *run)
{
	return run->figures.serial;
}

static double mpi_of(const struct report *run)
{
	return run->figures.mpi;
}

static double running_of(const struct report *run)
{
	return run->figures.running;
}

static double openmp_of(const struct report *run)
{
	return run->figures.openmp;
}

static double balance_of(const struct report *run)
{
	return run->figures.balance;
}

static double waiting_of(const struct report *run)
{
	return run->figures.waiting;
}

/* The efficiencies, at the same depth in the tree as on the page of one run. */
static const struct {
	const char *title;
	int depth;
	double (*share_of)(const struct report *run);
} shares[] = {
    {"efficiency", 0, total_of},
    {"MPI", 1, mpi_of},
    {"running", 1, running_of},
    {"serial part", 1, serial_of},
    {"OpenMP", 1, openmp_of},
    {"load balance", 2, balance_of},
    {"waits, overhead", 2, waiting_of},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { SHARES_WITHOUT_TEAMS = 3 }; /* only the first ones are meaningful without OpenMP */

static bool has_teams(const struct comparison_page *page)
{
	return page_has_teams(&page->sides[0].page) || page_has_teams(&page->sides[1].page);
}

static void write_meter(const struct page *page, double share)
{
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out,
	    "<td class=\"measure\"><span class=\"figure\">%s</span><span class=\"track\"><i "
	    "style=\"width:%.1f%%\"></i></span></td>",
	    summary_format_share(text, share),
	    share < 0   ? 0
	    : share > 1 ? 100
			: share * 100);
}

#define LEAST_POINTS 0.05 /* smaller values are written as 0.0 */

static const char *sign_of(double points)
{
	return points >= LEAST_POINTS ? "+" : points <= -LEAST_POINTS ? "\xe2\x88\x92" : "";
}

static void write_share(const struct comparison_page *page, const char *title, int depth,
    double (*share_of)(const struct report *run))
{
	const struct page *out = &page->sides[0].page;
	double before = diff_median_share(page->sides[0].runs, share_of);
	double after = diff_median_share(page->sides[1].runs, share_of);
	double points = (after - before) * 100;

	if (before < 0 && after < 0)
		return;
	fprintf(out->out, "<tr><th scope=\"row\" class=\"deep%d\">%s</th>", depth, title);
	write_meter(out, before);
	write_meter(out, after);
	if (before < 0 || after < 0)
		fputs("<td>n/a</td></tr>\n", out->out);
	else
		fprintf(out->out, "<td>%s%.1f points</td></tr>\n", sign_of(points),
		    fabs(points) < LEAST_POINTS ? 0 : fabs(points));
}

static void write_time(
    const struct comparison_page *page, const char *title, uint64_t before, uint64_t after)
{
	const struct page *out = &page->sides[0].page;
	char from[SUMMARY_FIGURE_SIZE], to[SUMMARY_FIGURE_SIZE];

	fprintf(out->out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", title,
	    summary_format_time(from, before), summary_format_time(to, after));
	if (before == SUMMARY_NOT_MEASURED || after == SUMMARY_NOT_MEASURED)
		fputs("<td>n/a</td>", out->out);
	else
		page_write_change(out, (int64_t)(after - before), 0);
	fputs("</tr>\n", out->out);
}

static uint64_t median_category(const struct diff_side *side, int category)
{
	uint64_t *values = memory_new(side->count, sizeof(values[0])), median;

	for (size_t i = 0; i < side->count; i++)
		values[i] = side->runs[i].figures.categories[category];
	median = diff_median(values, side->count);
	free(values);
	return median;
}

/* Whether the page of any run would show the category with a time above 0. */
static bool has_category(const struct diff_side *side, int category)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct summary_figures *figures = &side->runs[i].figures;

		if (summary_has_category(figures, (enum summary_category)category) &&
		    figures->categories[category] > 0)
			return true;
	}
	return false;
}

/* How the threads spent their time, without categories that neither side has. */
static void write_categories(const struct comparison_page *page)
{
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		uint64_t before = median_category(page->sides[0].runs, i);
		uint64_t after = median_category(page->sides[1].runs, i);
		char *title;

		if (!has_category(page->sides[0].runs, i) && !has_category(page->sides[1].runs, i))
			continue;
		title = memory_print("<span class=\"swatch %s\"></span>%s",
		    summary_category_names[i].key,
		    page_category_title(
			&page->sides[has_teams(page) && page_has_teams(&page->sides[1].page)].page,
			(enum summary_category)i));
		write_time(page, title, before, after);
		free(title);
	}
}

static void write_threads(const struct comparison_page *page)
{
	uint64_t before = page->sides[0].runs->runs[0].summary.threads;
	uint64_t after = page->sides[1].runs->runs[0].summary.threads;
	char from[SUMMARY_FIGURE_SIZE], to[SUMMARY_FIGURE_SIZE], change[SUMMARY_FIGURE_SIZE];

	fprintf(page->sides[0].page.out,
	    "<tr><th scope=\"row\">threads</th><td>%s</td><td>%s</td><td>%s%s</td></tr>\n",
	    summary_format_exact(from, before), summary_format_exact(to, after),
	    sign_of((double)after - (double)before),
	    summary_format_exact(change, after > before ? after - before : before - after));
}

static void start_table(const struct comparison_page *page, const char *title)
{
	fprintf(page->sides[0].page.out,
	    "<div class=\"scroll\">\n<table class=\"sides\">\n<thead><tr><th "
	    "scope=\"col\">%s</th><th scope=\"col\">%s</th><th scope=\"col\">%s</th><th "
	    "scope=\"col\">change</th></tr></thead>\n<tbody>\n",
	    title, page->sides[0].title, page->sides[1].title);
}

static void write_efficiencies(const struct comparison_page *page)
{
	const struct page *out = &page->sides[0].page;

	size_t count = has_teams(page) ? COUNT_OF(shares) : SHARES_WITHOUT_TEAMS;

	if (!has_teams(page) && diff_median_share(page->sides[0].runs, mpi_of) < 0 &&
	    diff_median_share(page->sides[1].runs, mpi_of) < 0)
		return;
	if (diff_median_share(page->sides[0].runs, total_of) < 0 &&
	    diff_median_share(page->sides[1].runs, total_of) < 0)
		return;
	fprintf(out->out,
	    "<section aria-labelledby=\"figures\">\n<h2 "
	    "id=\"figures\">Efficiency <small>%s</small></h2>\n",
	    diff_has_several_runs(page->comparison) ? "medians of the runs"
						    : "losses of a level add up to the one above");
	start_table(page, "of the thread time");
	for (size_t i = 0; i < count; i++)
		write_share(page, shares[i].title, shares[i].depth, shares[i].share_of);
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out->out);
}

static void write_times(const struct comparison_page *page)
{
	const struct diff_side *a = page->sides[0].runs, *b = page->sides[1].runs;
	const struct page *out = &page->sides[0].page;

	fputs("<section aria-labelledby=\"categories\">\n<h2 id=\"categories\">Time <small>of the "
	      "wall, then of all threads</small></h2>\n",
	    out->out);
	start_table(page, "time");
	write_time(
	    page, "wall time", diff_median(a->walls, a->count), diff_median(b->walls, b->count));
	write_time(page, "thread time", diff_median_capacity(a), diff_median_capacity(b));
	write_categories(page);
	write_threads(page);
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out->out);
}

void comparison_write_figures(const struct comparison_page *page)
{
	fputs("<div class=\"pair\">\n", page->sides[0].page.out);
	write_efficiencies(page);
	write_times(page);
	fputs("</div>\n", page->sides[0].page.out);
}
