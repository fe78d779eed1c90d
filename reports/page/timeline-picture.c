/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline: a lane per thread (or group of threads), drawn as SVG in as many steps as the page
 * has room for. Within a step, the activities share the lane's height in eighths, so that even
 * regions far shorter than a step show their share of waiting. One path per lane and activity
 * contains all its rectangles; equal neighbours are merged. The picture is for print and for
 * browsers without JavaScript; with JavaScript the page draws the lanes itself, from the data of
 * page_write_stretches().
 */
#include <stdlib.h>

#include "page.h"

#define LEVELS 8  /* parts of a lane's height */
#define LANE   10 /* units of a lane's height; the last two are the gap below it */

/* One step of a lane: the height of each activity. */
struct step {
	unsigned char levels[ACTIVITIES];
};

/*
 * Rounds the cumulative shares, so that their sum never exceeds the lane. A share of less than half
 * an eighth is not shown, unless it is the only one.
 */
static struct step step_of(const struct page *page, size_t lane, size_t number)
{
	const struct timeline *timeline = page->analysis->timeline;
	size_t threads =
	    timeline_row_begin(timeline, lane + 1) - timeline_row_begin(timeline, lane);
	size_t per_step = page_bins_per_step(page);
	double whole = timeline->bin_ticks * (double)(per_step * threads), filled = 0;
	struct timeline_bin sum = {.construct = NO_CONSTRUCT};
	struct step step = {{0}};
	int below = 0;

	for (size_t bin = number * per_step; bin < (number + 1) * per_step; bin++) {
		for (int i = 0; i < ACTIVITIES; i++)
			sum.ticks[i] += timeline_bin(timeline, lane, bin)->ticks[i];
	}
	for (size_t i = 0; i < PAGE_LANE_ACTIVITIES; i++) {
		int top;

		filled += (double)sum.ticks[page_lane_order[i]];
		top = (int)(filled / whole * LEVELS + 0.5);
		if (top > LEVELS)
			top = LEVELS;
		step.levels[page_lane_order[i]] = (unsigned char)(top - below);
		below = top;
	}
	if (below == 0 && filled > 0)
		step.levels[timeline_main_activity(&sum)] = 1;
	return step;
}

static size_t steps_of(const struct page *page)
{
	return page->analysis->timeline->bins / page_bins_per_step(page);
}

/* The vertical place of an activity in a step. */
static int base_of(const struct step *step, enum activity activity)
{
	int base = 0;

	for (size_t i = 0; page_lane_order[i] != activity; i++)
		base += step->levels[page_lane_order[i]];
	return base;
}

static bool is_same(const struct step *one, const struct step *other, enum activity activity)
{
	int height = one->levels[activity];

	return height == other->levels[activity] &&
	       (height == 0 || base_of(one, activity) == base_of(other, activity));
}

static void write_path(
    const struct page *page, const struct step *steps, size_t lane, enum activity activity)
{
	size_t count = steps_of(page);
	int started = 0;

	for (size_t begin = 0, end; begin < count; begin = end) {
		int height = steps[begin].levels[activity];
		int bottom = (int)page_row_of_lane(page->rows, lane) * LANE + LEVELS -
			     base_of(&steps[begin], activity);

		for (end = begin + 1; end < count; end++) {
			if (!is_same(&steps[begin], &steps[end], activity))
				break;
		}
		if (height == 0)
			continue;
		if (!started)
			fprintf(
			    page->out, "<path class=\"%s\" d=\"", page_activities[activity].css);
		started = 1;
		fprintf(page->out, "M%zu %dh%zuv%dh-%zuz", begin, bottom - height, end - begin,
		    height, end - begin);
	}
	if (started)
		fputs("\"/>\n", page->out);
}

static void fill_steps(const struct page *page, size_t lane, struct step *steps)
{
	for (size_t i = 0; i < steps_of(page); i++)
		steps[i] = step_of(page, lane, i);
}

/* The process whose heading precedes this lane, or NULL. */
static const struct page_process *heading_at(const struct page *page, size_t lane)
{
	const struct page_process *process = page_process_of(page->rows, lane);

	return process && page_has_heading(process) && process->first_lane == lane ? process : NULL;
}

static bool ends_process(const struct page *page, size_t lane)
{
	const struct page_process *process = page_process_of(page->rows, lane);

	return process && page_has_heading(process) &&
	       process->first_lane + process->lanes == lane + 1;
}

static void write_process_name(const struct page *page, const struct page_process *process)
{
	char *name = page_process_name(page->rows, process);

	page_write_name(page, name);
	free(name);
}

/* The style sheet gives the classes their colours. */
void page_write_hatches(const struct page *page)
{
	fputs("<defs>", page->out);
	for (size_t i = 0; i < ACTIVITIES; i++) {
		const char *css = page_activities[i].css;

		if (!page_activities[i].waits)
			continue;
		fprintf(page->out,
		    "<pattern id=\"hatched-%s\" width=\"6\" height=\"3\" "
		    "patternUnits=\"userSpaceOnUse\"><rect class=\"%s\" width=\"6\" height=\"3\"/>"
		    "<path class=\"hatch\" d=\"M-1 3.5L7 -0.5\"/></pattern>",
		    css, css);
	}
	fputs("</defs>\n", page->out);
}

/* The lanes of a process form a group, so that pointing at them shows its name. */
static void write_svg(const struct page *page, double share, bool has_patterns)
{
	size_t lanes = page->rows->lanes, rows = lanes + page->rows->headings;
	size_t count = steps_of(page);
	struct step steps[PAGE_STEPS_MAX];

	fprintf(page->out,
	    "<svg viewBox=\"0 0 %zu %zu\" preserveAspectRatio=\"none\" style=\"height:calc(%zu * "
	    "var(--row));width:%.2f%%\" "
	    "role=\"img\" aria-label=\"what each thread does over time\">\n",
	    count, rows * LANE, rows, share * 100);
	if (has_patterns)
		page_write_hatches(page);
	fputs("<path class=\"ground\" d=\"", page->out);
	for (size_t lane = 0; lane < lanes; lane++)
		fprintf(page->out, "M0 %zuh%zuv%dh-%zuz", page_row_of_lane(page->rows, lane) * LANE,
		    count, LEVELS, count);
	fputs("\"/>\n", page->out);
	for (size_t lane = 0; lane < lanes; lane++) {
		if (heading_at(page, lane)) {
			fputs("<g><title>", page->out);
			write_process_name(page, heading_at(page, lane));
			fputs("</title>\n", page->out);
		}
		fill_steps(page, lane, steps);
		for (size_t i = 0; i < PAGE_LANE_ACTIVITIES; i++)
			write_path(page, steps, lane, page_lane_order[i]);
		if (ends_process(page, lane))
			fputs("</g>\n", page->out);
	}
	page_write_arrow_lines(page);
	fputs("</svg>\n", page->out);
}

/* The title is the full name; the label may be only a part of it, and may be cut. */
static void write_lane_label(const struct page *page, size_t lane)
{
	char *label = page_lane_label(page->rows, lane);

	fputs("<span title=\"", page->out);
	page_write_lane(page, lane);
	fputs("\">", page->out);
	page_write_name(page, label);
	fputs("</span>", page->out);
	free(label);
}

static void write_labels(const struct page *page)
{
	fputs("<div class=\"labels\">", page->out);
	for (size_t lane = 0; lane < page->rows->lanes; lane++) {
		if (heading_at(page, lane)) {
			fputs("<span class=\"heading\" title=\"", page->out);
			write_process_name(page, heading_at(page, lane));
			fputs("\">", page->out);
			write_process_name(page, heading_at(page, lane));
			fputs("</span>", page->out);
		}
		write_lane_label(page, lane);
	}
	fputs("</div>\n", page->out);
}

void page_write_picture(const struct page *page, double share, bool has_patterns)
{
	write_labels(page);
	fputs("<div class=\"lanes\">\n", page->out);
	write_svg(page, share, has_patterns);
	fputs("</div>\n", page->out);
}

void page_write_axis(const struct page *page, uint64_t begin, uint64_t length)
{
	char text[SUMMARY_FIGURE_SIZE];

	fputs("<div class=\"axis\">", page->out);
	for (uint64_t i = 0; i <= 4; i++)
		fprintf(page->out, "<span style=\"left:%d%%\">%s</span>", (int)i * 25,
		    summary_format_time(text, begin + length * i / 4));
	fputs("</div>\n", page->out);
}

/* With few threads lanes are high, with many they are low. */
double page_row_height(size_t lanes)
{
	return lanes <= 16 ? 1.6 : lanes <= 64 ? 1.1 : 0.8;
}

void page_write_legend(const struct page *page, const struct page *other)
{
	fputs("<ul class=\"legend\">", page->out);
	for (size_t i = 0; i < PAGE_LANE_ACTIVITIES; i++) {
		enum activity activity = page_lane_order[i];

		if (!page_shows(page, activity) && !(other && page_shows(other, activity)))
			continue;
		fprintf(page->out, "<li title=\"%s\"><span class=\"swatch %s\"></span>%s</li>",
		    page_activities[activity].meaning, page_activities[activity].css,
		    page_activity_title(page, activity));
	}
	fputs("<li><span class=\"swatch none\"></span>idle</li></ul>\n", page->out);
}

void page_write_timeline(const struct page *page)
{
	const struct timeline *timeline = page->analysis->timeline;
	uint64_t begin = timeline->start - page->analysis->archive->clock_start;

	fputs("<section aria-labelledby=\"timeline\">\n<h2 id=\"timeline\">Timeline</h2>\n",
	    page->out);
	page_write_legend(page, NULL);
	fprintf(page->out, "<div class=\"timeline\" style=\"--row:%.1frem\">\n",
	    page_row_height(page->rows->lanes));
	page_write_picture(page, 1, true);
	page_write_axis(page, analysis_nanoseconds(page->analysis, begin),
	    analysis_nanoseconds(page->analysis, timeline->length));
	fputs("</div>\n</section>\n", page->out);
	page_write_stretches(page);
	page_write_run(page);
}
