/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline: operations in a second over operations for each byte, both in powers of ten. A
 * construct is a circle whose area is what it lost below its roof; its number is that in the table,
 * to which it links. The table has all that the picture shows.
 */
#include <math.h>
#include <stdlib.h>

#include "page.h"
#include "roofline.h"

enum { WIDTH = 760, HEIGHT = 380, LEFT = 64, RIGHT = 44, TOP = 28, BOTTOM = 44 };
enum { SMALLEST = 4, LARGEST = 18, CIRCLES = 40, DECADES = 6 };

/* Powers of ten at the ends of an axis. */
struct axis {
	int begin, end;
};

struct picture {
	const struct page *page;
	const struct roofline *roofline;
	struct axis x, y;
};

static double clip(double value, const struct axis *axis)
{
	return fmin(fmax(log10(value), axis->begin), axis->end);
}

static double x_of(const struct picture *picture, double intensity)
{
	double share =
	    (clip(intensity, &picture->x) - picture->x.begin) / (picture->x.end - picture->x.begin);

	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct picture *picture, double rate)
{
	double share =
	    (clip(rate, &picture->y) - picture->y.begin) / (picture->y.end - picture->y.begin);

	return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

/* The ridge, where the roofs of memory and arithmetic meet, has a decade on each side. */
static void choose_axes(struct picture *picture)
{
	const struct roofline *roofline = picture->roofline;
	double ridge = roofline->peak / roofline->bandwidth;
	double least = ridge / 10, most = ridge * 10, slowest = roofline->peak / 10;

	for (size_t i = 0; i < roofline->count && i < CIRCLES; i++) {
		const struct roofline_point *point = &roofline->points[i];

		least = fmin(least, point->intensity);
		slowest = fmin(slowest, point->rate);
		if (!isinf(point->intensity))
			most = fmax(most, point->intensity);
	}
	picture->y.end = (int)ceil(log10(roofline->peak));
	picture->y.begin = (int)fmax(floor(log10(slowest)), picture->y.end - DECADES);
	picture->x.begin = (int)fmax(floor(log10(least)), floor(log10(ridge)) - DECADES);
	picture->x.end = (int)fmin(ceil(log10(most)), ceil(log10(ridge)) + DECADES);
}

static void write_axes(const struct picture *picture)
{
	FILE *out = picture->page->out;

	for (int power = picture->x.begin; power <= picture->x.end; power++) {
		double x = x_of(picture, pow(10, power));

		fprintf(out,
		    "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
		    "text-anchor=\"middle\">%g</text>\n",
		    x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, pow(10, power));
	}
	for (int power = picture->y.begin; power <= picture->y.end; power++) {
		double y = y_of(picture, pow(10, power));

		fprintf(out,
		    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
		    "text-anchor=\"end\">%g</text>\n",
		    LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, pow(10, power - 9));
	}
	fprintf(out,
	    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">flop/byte</text>"
	    "<text x=\"4\" y=\"%d\">Gflop/s</text>\n",
	    WIDTH - RIGHT, HEIGHT - 8, TOP - 14);
}

static void write_roof(const struct picture *picture)
{
	const struct roofline *roofline = picture->roofline;
	double least = pow(10, picture->x.begin), most = pow(10, picture->x.end);
	double low = pow(10, picture->y.begin);
	double begin =
	    fmax(least, low / roofline->bandwidth); /* where the roof enters the picture */

	fprintf(picture->page->out, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n",
	    x_of(picture, begin), y_of(picture, begin * roofline->bandwidth),
	    x_of(picture, roofline->peak / roofline->bandwidth), y_of(picture, roofline->peak),
	    x_of(picture, most));
}

static void write_circle(const struct picture *picture, size_t index)
{
	const struct roofline_point *point = &picture->roofline->points[index];
	double most = picture->roofline->points[0].loss;
	double radius = fmax(SMALLEST, most > 0 ? LARGEST * sqrt(point->loss / most) : 0);
	double x = x_of(picture, point->intensity), y = y_of(picture, point->rate);
	char place[512], share[SUMMARY_FIGURE_SIZE], loss[SUMMARY_FIGURE_SIZE];
	FILE *out = picture->page->out;

	summary_format_region(place, sizeof(place), point->region);
	fprintf(out, "<a href=\"#roofline-%zu\"><title>%zu: ", index + 1, index + 1);
	page_write_name(picture->page, place);
	fprintf(out,
	    ", %.3g Gflop/s, %s of what %s allows, %s below</title><circle cx=\"%.1f\" cy=\"%.1f\" "
	    "r=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\">%zu</text></a>\n",
	    point->rate / 1e9, summary_format_share(share, point->rate / point->roof),
	    point->is_memory ? "memory" : "arithmetic",
	    summary_format_time(loss, (uint64_t)point->loss), x, y, radius, x + radius + 3, y + 4,
	    index + 1);
}

static void write_picture(const struct page *page, const struct roofline *roofline)
{
	struct picture picture = {page, roofline, {0, 0}, {0, 0}};

	choose_axes(&picture);
	fprintf(page->out,
	    "<div class=\"scroll roofline\">\n<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
	    "role=\"group\" aria-label=\"constructs by operations for each byte and in a second, under "
	    "the machine's roof; the table below has the same figures\">\n",
	    WIDTH, HEIGHT, WIDTH, HEIGHT);
	write_axes(&picture);
	write_roof(&picture);
	for (size_t i = 0; i < roofline->count && i < CIRCLES; i++)
		write_circle(&picture, i);
	fputs("</svg>\n</div>\n", page->out);
}

static void write_row(const struct page *page, const struct roofline *roofline, size_t index)
{
	const struct roofline_point *point = &roofline->points[index];
	double share = point->rate / point->roof;
	char place[512];

	summary_format_region(place, sizeof(place), point->region);
	fprintf(page->out, "<tr id=\"roofline-%zu\"><td class=\"place\">", index + 1);
	page_write_name(page, place);
	fprintf(page->out, "</td><td data-v=\"%zu\">%zu</td>", index + 1, index + 1);
	if (isinf(point->intensity))
		fputs("<td data-v=\"-1\">n/a</td>", page->out);
	else
		fprintf(
		    page->out, "<td data-v=\"%g\">%.3g</td>", point->intensity, point->intensity);
	fprintf(page->out, "<td data-v=\"%g\">%.3g</td><td data-v=\"%g\">%.3g</td>", point->rate,
	    point->rate / 1e9, point->roof, point->roof / 1e9);
	page_write_share(page, share, fmin(share, 1));
	fprintf(page->out, "<td>%s</td>", point->is_memory ? "memory" : "arithmetic");
	page_write_time(page, point->region->time, 0);
	page_write_time(page, (uint64_t)point->loss, (uint64_t)roofline->points[0].loss);
	fputs("</tr>\n", page->out);
}

static void write_table(const struct page *page, const struct roofline *roofline)
{
	static const struct page_column columns[] = {{"construct", NULL},
	    {"number", "in the picture"},
	    {"flop/byte", "floating-point operations for each byte between memory and caches"},
	    {"Gflop/s", "all threads together"},
	    {"roof", "what the machine could do at that ratio"}, {"of roof", NULL},
	    {"limit", "what the roof is: memory or arithmetic"},
	    {"thread time", "summed over threads, with nested regions and waits"},
	    {"below roof", "thread time that the roof would save"}};
	size_t shown =
	    roofline->count < PAGE_SHORT_ROWS_MAX ? roofline->count : PAGE_SHORT_ROWS_MAX;

	page_start_table(page, "roofline-points", "Constructs under their roof", "", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < shown; i++)
		write_row(page, roofline, i);
	page_end_table(page, shown, roofline->count, "roofline");
}

void page_write_roofline(const struct page *page)
{
	struct roofline roofline = roofline_make(page->summary);

	if (roofline.was_wanted) {
		fputs("<section aria-labelledby=\"roofline\">\n<h2 id=\"roofline\">Roofline "
		      "<small>nested constructs and waits included; area: thread time below the "
		      "roof</small></h2>\n",
		    page->out);
		if (roofline.count > 0)
			write_picture(page, &roofline);
		fputs("<p class=\"quiet\">", page->out);
		if (roofline.missing)
			page_write_sentence(page, roofline.missing);
		else {
			fprintf(page->out,
			    "flop by %s, bytes by %s, 64 for each miss. %u thread%s of ",
			    roofline.operations, roofline.bytes, roofline.threads,
			    roofline.threads == 1 ? "" : "s");
			page_write_name(page, roofline.processor);
			fprintf(page->out,
			    ", where this page was made: %.1f GB/s and %.1f Gflop/s.",
			    roofline.bandwidth / 1e9, roofline.peak / 1e9);
		}
		fputs("</p>\n</section>\n", page->out);
	}
	if (roofline.count > 0)
		write_table(page, &roofline);
	roofline_free(&roofline);
}
