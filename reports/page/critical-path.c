/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path on the page: its regions, the longest time first. */
#include <stdlib.h>

#include "page.h"
#include "memory.h"
#include "path-regions.h"

static int compare_regions(const void *first, const void *second)
{
	const struct path_region *one = *(const struct path_region *const *)first;
	const struct path_region *other = *(const struct path_region *const *)second;

	if (one->total != other->total)
		return one->total < other->total ? 1 : -1;
	return (one > other) - (one < other);
}

static void write_text(const struct html *html, const char *text)
{
	fputs("<td>", html->out);
	html_name(html, text);
	fputs("</td>", html->out);
}

static void write_thread(const struct html *html, uint32_t thread)
{
	write_text(
	    html, thread == PATH_NONE ? "" : html->analysis->archive->locations[thread].name);
}

static void write_region(const struct html *html, const struct path_regions *found,
    const struct path_region *region, uint64_t wall)
{
	const struct analysis *analysis = html->analysis;
	uint64_t work = region->activities[ACTIVITY_WORK] + region->activities[ACTIVITY_TASK] +
			region->activities[ACTIVITY_SERIAL];
	char *name = path_regions_name(analysis, (size_t)(region - found->regions));
	char share[SUMMARY_FIGURE_SIZE];

	fputs("<tr><td class=\"place\">", html->out);
	html_name(html, name);
	fputs("</td>", html->out);
	html_time_cell(html, analysis_nanoseconds(analysis, region->total),
	    analysis_nanoseconds(analysis, wall));
	fprintf(html->out, "<td data-v=\"%llu\">%s</td>", (unsigned long long)region->total,
	    summary_format_share(share, summary_share(region->total, wall)));
	html_time_cell(html, analysis_nanoseconds(analysis, work), 0);
	html_time_cell(html, analysis_nanoseconds(analysis, region->total - work), 0);
	write_thread(html, region->mostly_by);
	html_count_cell(html, region->cuts);
	html_time_cell(html, analysis_nanoseconds(analysis, region->waited), 0);
	write_thread(html, region->ended_by);
	fputs("</tr>\n", html->out);
	free(name);
}

/* Also regions whose part is cut off: the sum would not be the wall time without them. */
static void write_table(const struct html *html, const struct path_regions *found)
{
	static const char *const columns[] = {"region", "on path", "share", "work", "waits",
	    "mostly by", "cuts", "waits cut", "ended mostly by"};
	const struct path_region **order = memory_new(found->count, sizeof(order[0]));
	uint64_t wall = html->analysis->last_time - html->analysis->first_time;
	size_t count = 0, shown;

	for (size_t i = 0; i < found->count; i++) {
		if (found->regions[i].is_on_path)
			order[count++] = &found->regions[i];
	}
	qsort(order, count, sizeof(order[0]), compare_regions);
	shown = count < HTML_SHORT_ROWS_MAX ? count : HTML_SHORT_ROWS_MAX;
	html_start_table(html, "path", "Critical path",
	    "what the wall time consisted of; cuts: waits left for the thread that ended them",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < shown; i++)
		write_region(html, found, order[i], wall);
	html_end_table(html, shown, count, "critical-path");
	free(order);
}

void html_write_path(const struct html *html)
{
	struct path_regions found;

	/* Without teams all that a thread waits for is unknown. */
	if (!html->analysis->path || !html->analysis->has_teams)
		return;
	if (html->analysis->path->full) {
		fprintf(html->out,
		    "<section aria-labelledby=\"path\">\n<h2 id=\"path\">Critical path</h2>\n"
		    "<p class=\"quiet\">Threads change what they do more than %d times, the most that "
		    "a page's path is searched in: ompreport critical-path allows twice as many, and "
		    "--from and --to make a page of a part of the run.</p>\n</section>\n",
		    HTML_PATH_MAX);
		return;
	}
	path_regions_find(&found, html->analysis, NULL);
	write_table(html, &found);
	path_regions_free(&found);
}
