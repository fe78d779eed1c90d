/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline: a lane per thread (or group of threads), drawn as SVG in as many steps as the page
 * has room for. Within a step the lane's height is shared out among the activities, in eighths, so
 * that also regions far shorter than a step show their share of waiting. One path per lane and
 * activity holds all its rectangles; equal neighbours are one. The same steps go as runs of numbers
 * to the page's script.
 */
#include <inttypes.h>
#include <string.h>

#include "html.h"

#define LEVELS 8  /* parts of a lane's height */
#define LANE   10 /* units of a lane's height, of which the last two are the gap below it */

/* From the bottom of the lane to its top. */
static const enum activity order[] = {ACTIVITY_SERIAL, ACTIVITY_WORK, ACTIVITY_TASK, ACTIVITY_TEAM,
    ACTIVITY_TASK_WAIT, ACTIVITY_LOCK, ACTIVITY_BARRIER};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* One step of a lane: how high each activity is, and what it is mostly. */
struct step {
	unsigned char levels[ACTIVITIES];
	enum activity main;
	uint32_t construct;
};

static struct timeline_bin sum_of(const struct html *html, size_t lane, size_t bin)
{
	const struct timeline *timeline = html->analysis->timeline;
	struct timeline_bin sum = {.construct = NO_CONSTRUCT};

	for (size_t i = html_lane_begin(html, lane); i < html_lane_begin(html, lane + 1); i++) {
		const struct timeline_bin *cell = timeline_bin(timeline, i, bin);

		for (int j = 0; j < ACTIVITIES; j++)
			sum.ticks[j] += cell->ticks[j];
		if (cell->lead > sum.lead) {
			sum.lead = cell->lead;
			sum.construct = cell->construct;
		}
	}
	return sum;
}

/*
 * Rounds the cumulated shares, so that the whole never is more than the lane. What does not fill
 * half an eighth does not show, unless it is all there is.
 */
static struct step step_of(const struct html *html, size_t lane, size_t bin)
{
	struct timeline_bin sum = sum_of(html, lane, bin);
	size_t threads = html_lane_begin(html, lane + 1) - html_lane_begin(html, lane);
	double whole = (double)html->analysis->timeline->bin_ticks * (double)threads, filled = 0;
	struct step step = {.main = timeline_main_activity(&sum), .construct = sum.construct};
	int below = 0;

	for (size_t i = 0; i < COUNT_OF(order); i++) {
		int top;

		filled += (double)sum.ticks[order[i]];
		top = (int)(filled / whole * LEVELS + 0.5);
		if (top > LEVELS)
			top = LEVELS;
		step.levels[order[i]] = (unsigned char)(top - below);
		below = top;
	}
	if (below == 0 && step.main != ACTIVITY_NONE)
		step.levels[step.main] = 1;
	if (filled < whole / 2)
		step.main = filled * 4 > whole ? step.main : ACTIVITY_NONE;
	return step;
}

/* The vertical place of an activity in a step. */
static int base_of(const struct step *step, enum activity activity)
{
	int base = 0;

	for (size_t i = 0; order[i] != activity; i++)
		base += step->levels[order[i]];
	return base;
}

static bool is_same(const struct step *one, const struct step *other, enum activity activity)
{
	int height = one->levels[activity];

	return height == other->levels[activity] &&
	       (height == 0 || base_of(one, activity) == base_of(other, activity));
}

static void write_path(
    const struct html *html, const struct step *steps, size_t lane, enum activity activity)
{
	size_t bins = html->analysis->timeline->bins;
	int started = 0;

	for (size_t begin = 0, end; begin < bins; begin = end) {
		int height = steps[begin].levels[activity];
		int bottom = (int)lane * LANE + LEVELS - base_of(&steps[begin], activity);

		for (end = begin + 1; end < bins; end++) {
			if (!is_same(&steps[begin], &steps[end], activity))
				break;
		}
		if (height == 0)
			continue;
		if (!started)
			fprintf(
			    html->out, "<path class=\"%s\" d=\"", html_activities[activity].css);
		started = 1;
		fprintf(html->out, "M%zu %dh%zuv%dh-%zuz", begin, bottom - height, end - begin,
		    height, end - begin);
	}
	if (started)
		fputs("\"/>\n", html->out);
}

static void fill_steps(const struct html *html, size_t lane, struct step *steps)
{
	for (size_t bin = 0; bin < html->analysis->timeline->bins; bin++)
		steps[bin] = step_of(html, lane, bin);
}

static void write_svg(const struct html *html)
{
	size_t lanes = html_lanes(html), bins = html->analysis->timeline->bins;
	struct step steps[HTML_BINS_MAX];

	fprintf(html->out,
	    "<svg viewBox=\"0 0 %zu %zu\" preserveAspectRatio=\"none\" style=\"height:calc(%zu * "
	    "var(--row))\" "
	    "role=\"img\" aria-label=\"what each thread does over time\">\n<path class=\"ground\" "
	    "d=\"",
	    bins, lanes * LANE, lanes);
	for (size_t lane = 0; lane < lanes; lane++)
		fprintf(html->out, "M0 %zuh%zuv%dh-%zuz", lane * LANE, bins, LEVELS, bins);
	fputs("\"/>\n", html->out);
	for (size_t lane = 0; lane < lanes; lane++) {
		fill_steps(html, lane, steps);
		for (size_t i = 0; i < COUNT_OF(order); i++)
			write_path(html, steps, lane, order[i]);
	}
	fputs("</svg>\n", html->out);
}

static void write_labels(const struct html *html)
{
	char name[HTML_NAME_MAX];

	fputs("<div class=\"labels\">", html->out);
	for (size_t lane = 0; lane < html_lanes(html); lane++) {
		html_lane_name(html, lane, name, sizeof(name));
		fputs("<span>", html->out);
		html_name(html, name);
		fputs("</span>", html->out);
	}
	fputs("</div>\n", html->out);
}

static uint64_t length_of(const struct html *html)
{
	const struct timeline *timeline = html->analysis->timeline;

	return analysis_nanoseconds(html->analysis, timeline->bins * timeline->bin_ticks);
}

static void write_axis(const struct html *html)
{
	char text[SUMMARY_FIGURE_SIZE];

	fputs("<div class=\"axis\">", html->out);
	for (uint64_t i = 0; i <= 4; i++)
		fprintf(html->out, "<span style=\"left:%d%%\">%s</span>", (int)i * 25,
		    summary_format_time(text, length_of(html) / 4 * i));
	fputs("</div>\n", html->out);
}

/* The constructs that the runs name, in the order of their first use. */
struct used {
	struct map index_of;
	uint32_t constructs[HTML_USED_MAX];
	size_t count;
};

/* The number of the construct in the page, -1 for none and for those that are too many. */
static int number_of(struct used *used, uint32_t construct)
{
	struct map_key key = {construct, 0};
	uint64_t index = map_find(&used->index_of, key);

	if (construct == NO_CONSTRUCT || (index == MAP_NONE && used->count == HTML_USED_MAX))
		return -1;
	if (index == MAP_NONE) {
		index = used->count;
		used->constructs[used->count++] = construct;
		map_set(&used->index_of, key, index);
	}
	return (int)index;
}

static void write_runs(const struct html *html, size_t lane, struct used *used)
{
	struct step steps[HTML_BINS_MAX];
	size_t bins = html->analysis->timeline->bins;

	fill_steps(html, lane, steps);
	fputs(lane ? ",\n[" : "[", html->out);
	for (size_t begin = 0, end; begin < bins; begin = end) {
		const struct step *step = &steps[begin];
		int number = step->main == ACTIVITY_NONE ? -1 : number_of(used, step->construct);

		for (end = begin + 1; end < bins; end++) {
			if (steps[end].main != step->main ||
			    (step->main != ACTIVITY_NONE &&
				steps[end].construct != step->construct))
				break;
		}
		fprintf(html->out, "%s%zu,%d,%d", begin ? "," : "", end - begin, (int)step->main,
		    number);
	}
	fputc(']', html->out);
}

static void write_used(const struct html *html, const struct used *used)
{
	char place[HTML_NAME_MAX];

	fputs("],\n\"constructs\": [", html->out);
	for (size_t i = 0; i < used->count; i++) {
		const struct construct *construct =
		    &html->analysis->constructs[used->constructs[i]];
		struct summary_region region = {
		    .name = construct->name,
		    .sub_name = construct->sub_name,
		    .file = construct->file,
		    .begin_line = construct->begin_line,
		};

		summary_format_region(place, sizeof(place), &region);
		fputs(i ? ",\n\"" : "\"", html->out);
		summary_write_json_text(html->out, place);
		fputc('"', html->out);
	}
	fputc(']', html->out);
}

/* What the page's script needs; a data block, which no browser executes. */
static void write_data(const struct html *html)
{
	double seconds = (double)length_of(html) / 1e9;
	struct used used = {.count = 0};
	char name[HTML_NAME_MAX];

	fprintf(html->out,
	    "<script type=\"application/json\" id=\"timeline-data\">{\"bins\": %zu, \"seconds\": "
	    "%.9f, "
	    "\"binSeconds\": %.12f,\n\"activities\": [",
	    html->analysis->timeline->bins, seconds,
	    seconds / (double)html->analysis->timeline->bins);
	for (int i = 0; i < ACTIVITIES; i++)
		fprintf(html->out, "%s\"%s\"", i ? ", " : "", html_activities[i].title);
	fputs("],\n\"labels\": [", html->out);
	for (size_t lane = 0; lane < html_lanes(html); lane++) {
		html_lane_name(html, lane, name, sizeof(name));
		fputs(lane ? ", \"" : "\"", html->out);
		summary_write_json_text(html->out, name);
		fputc('"', html->out);
	}
	fputs("],\n\"rows\": [", html->out);
	for (size_t lane = 0; lane < html_lanes(html); lane++)
		write_runs(html, lane, &used);
	write_used(html, &used);
	fputs("}</script>\n", html->out);
	map_free(&used.index_of);
}

/* Few threads get high lanes, many get low ones. */
static double row_height(size_t lanes)
{
	return lanes <= 16 ? 1.6 : lanes <= 64 ? 1.1 : 0.8;
}

void html_write_timeline(const struct html *html)
{
	fputs("<section aria-labelledby=\"timeline\">\n<h2 id=\"timeline\">Timeline</h2>\n<ul "
	      "class=\"legend\">",
	    html->out);
	for (size_t i = 0; i < COUNT_OF(order); i++)
		fprintf(html->out, "<li><span class=\"swatch %s\"></span>%s</li>",
		    html_activities[order[i]].css, html_activities[order[i]].title);
	fprintf(html->out,
	    "<li><span class=\"swatch none\"></span>idle</li></ul>\n<div class=\"timeline\" "
	    "style=\"--row:%.1frem\">\n",
	    row_height(html_lanes(html)));
	write_labels(html);
	fputs("<div class=\"lanes\">\n", html->out);
	write_svg(html);
	fputs("</div>\n", html->out);
	write_axis(html);
	fputs("</div>\n</section>\n", html->out);
	write_data(html);
}
