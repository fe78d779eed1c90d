/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How unevenly threads share work. For the constructs that lose most by it, a picture has a bar per
 * lane for the work in the construct's body, and a line where all threads would end if they shared
 * the work evenly.
 */
#include <stdlib.h>

#include "memory.h"
#include "page.h"

enum { HEIGHT = 100, STEP = 10, BAR = 8 }; /* units of the pictures */

static int compare_imbalance(const void *first, const void *second)
{
	const struct construct *one = *(const struct construct *const *)first;
	const struct construct *other = *(const struct construct *const *)second;
	uint64_t lost, less;

	analysis_imbalance(one, &lost);
	analysis_imbalance(other, &less);
	if (lost != less)
		return lost < less ? 1 : -1;
	return (one > other) - (one < other);
}

/* The mean over the lane's threads that were in the construct's body; 0 if there were none. */
static uint64_t body_of(const struct page *page, size_t lane, uint32_t construct)
{
	const size_t *begins = page->rows->begins;
	uint64_t sum = 0, count = 0;

	for (size_t i = begins[lane]; i < begins[lane + 1]; i++) {
		const struct visited *visited =
		    analysis_visited(&page->analysis->threads[i], construct);

		if (!visited || visited->visits == 0)
			continue;
		sum += visited->work;
		count++;
	}
	return count ? sum / count : 0;
}

static void write_bars(const struct page *page, const struct construct *construct)
{
	uint32_t index = (uint32_t)(construct - page->analysis->constructs);
	double most = (double)construct->body_max;
	char text[SUMMARY_FIGURE_SIZE];
	double mean = (double)construct->body_sum / (double)construct->threads;

	fprintf(page->out,
	    "<svg viewBox=\"0 0 %zu %d\" preserveAspectRatio=\"none\" role=\"img\" "
	    "aria-label=\"work of each thread in the body\">\n",
	    page->rows->lanes * STEP, HEIGHT);
	for (size_t lane = 0; lane < page->rows->lanes; lane++) {
		uint64_t body = body_of(page, lane, index);
		double height = (double)body / most * HEIGHT;

		fputs("<g><title>", page->out);
		page_write_lane(page, lane);
		fprintf(page->out, ": %s</title>",
		    summary_format_time(text, analysis_nanoseconds(page->analysis, body)));
		fprintf(page->out,
		    "<rect class=\"ground\" x=\"%zu\" y=\"0\" width=\"%d\" height=\"%d\"/>"
		    "<rect class=\"work\" x=\"%zu\" y=\"%.2f\" width=\"%d\" "
		    "height=\"%.2f\"/></g>\n",
		    lane * STEP + (STEP - BAR) / 2, BAR, HEIGHT, lane * STEP + (STEP - BAR) / 2,
		    HEIGHT - height, BAR, height);
	}
	fprintf(page->out, "<path class=\"mean\" d=\"M0 %.2fH%zu\"/></svg>\n",
	    HEIGHT - mean / most * HEIGHT, page->rows->lanes * STEP);
}

/* Writes the bar's figures; an explicit barrier has no body. */
static void write_bodies(const struct page *page, const struct construct *construct)
{
	char min[SUMMARY_FIGURE_SIZE], mean[SUMMARY_FIGURE_SIZE], max[SUMMARY_FIGURE_SIZE];
	const struct analysis *analysis = page->analysis;

	if (construct->kind == CONSTRUCT_KIND_BARRIER)
		return;
	fprintf(page->out, ", %s to %s, mean %s",
	    summary_format_time(min, analysis_nanoseconds(analysis, construct->body_min)),
	    summary_format_time(max, analysis_nanoseconds(analysis, construct->body_max)),
	    summary_format_time(
		mean, analysis_nanoseconds(analysis, construct->body_sum / construct->threads)));
}

/* Writes which thread arrived last at the construct's barriers. */
static void write_last(const struct page *page, const struct construct *construct)
{
	const struct analysis *analysis = page->analysis;
	char barriers[SUMMARY_FIGURE_SIZE], times[SUMMARY_FIGURE_SIZE];
	uint64_t count;
	uint32_t last =
	    analysis_last_to_arrive(analysis, (uint32_t)(construct - analysis->constructs), &count);

	if (last == ARCHIVE_NO_INDEX)
		return;
	fputs("; ", page->out);
	page_write_name(page, analysis->archive->locations[last].label);
	fprintf(page->out, " came last at %s of %s barriers", summary_format_exact(times, count),
	    summary_format_exact(barriers, construct->barriers_completed));
}

static void write_construct(const struct page *page, const struct construct *construct)
{
	char *name = analysis_construct_name(construct);
	char lost[SUMMARY_FIGURE_SIZE];
	uint64_t imbalance;

	analysis_imbalance(construct, &imbalance);
	fputs("<figure>\n<figcaption><span class=\"place\">", page->out);
	page_write_name(page, name);
	fprintf(page->out, "</span> <span class=\"quiet\">%s lost",
	    summary_format_time(lost, analysis_nanoseconds(page->analysis, imbalance)));
	write_bodies(page, construct);
	write_last(page, construct);
	fputs("</span></figcaption>\n", page->out);
	if (construct->kind != CONSTRUCT_KIND_BARRIER)
		write_bars(page, construct);
	fputs("</figure>\n", page->out);
	free(name);
}

/* Whether the construct deserves a picture: work is lost, in a body that took some time. */
static bool is_uneven(const struct construct *construct)
{
	uint64_t imbalance;

	return analysis_imbalance(construct, &imbalance) && imbalance > 0 &&
	       construct->threads > 1 &&
	       (construct->body_max > 0 || construct->kind == CONSTRUCT_KIND_BARRIER);
}

void page_write_imbalance(const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct construct **uneven = memory_new(analysis->construct_count, sizeof(uneven[0]));
	uint64_t most = 0, lost;
	size_t count = 0;

	for (size_t i = 0; i < analysis->construct_count; i++) {
		if (is_uneven(&analysis->constructs[i]))
			uneven[count++] = &analysis->constructs[i];
	}
	qsort(uneven, count, sizeof(uneven[0]), compare_imbalance);
	if (count > 0) {
		analysis_imbalance(uneven[0], &most);
		fputs("<section aria-labelledby=\"imbalance\">\n<h2 id=\"imbalance\">Imbalance "
		      "<small>each thread's work in the body; the line is the mean</small></h2>\n"
		      "<div class=\"figures\">\n",
		    page->out);
		/* Constructs below a hundredth of the worst are not worth the space. */
		for (size_t i = 0; i < count && i < PAGE_UNEVEN_MAX; i++) {
			analysis_imbalance(uneven[i], &lost);
			if (lost >= most / 100)
				write_construct(page, uneven[i]);
		}
		fputs("</div>\n</section>\n", page->out);
	}
	free(uneven);
}
