/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path on the page: its regions, the longest time first. */
#include <stdlib.h>

#include "memory.h"
#include "page.h"
#include "path-regions.h"

static int compare_regions(const void *first, const void *second)
{
	const struct path_region *one = *(const struct path_region *const *)first;
	const struct path_region *other = *(const struct path_region *const *)second;

	if (one->total != other->total)
		return one->total < other->total ? 1 : -1;
	return (one > other) - (one < other);
}

static void write_text(const struct page *page, const char *text)
{
	fputs("<td>", page->out);
	page_write_name(page, text);
	fputs("</td>", page->out);
}

static void write_thread(const struct page *page, uint32_t thread)
{
	write_text(
	    page, thread == PATH_NONE ? "" : page->analysis->archive->locations[thread].name);
}

static void write_region(const struct page *page, const struct path_regions *found,
    const struct path_region *region, uint64_t wall)
{
	const struct analysis *analysis = page->analysis;
	uint64_t work = region->activities[ACTIVITY_WORK] + region->activities[ACTIVITY_TASK] +
			region->activities[ACTIVITY_SERIAL];
	char *name = path_regions_name(analysis, (size_t)(region - found->regions));
	char share[SUMMARY_FIGURE_SIZE];

	fputs("<tr><td class=\"place\">", page->out);
	page_write_name(page, name);
	fputs("</td>", page->out);
	page_write_time(page, analysis_nanoseconds(analysis, region->total),
	    analysis_nanoseconds(analysis, wall));
	fprintf(page->out, "<td data-v=\"%llu\">%s</td>", (unsigned long long)region->total,
	    summary_format_share(share, summary_share(region->total, wall)));
	page_write_time(page, analysis_nanoseconds(analysis, work), 0);
	page_write_time(page, analysis_nanoseconds(analysis, region->total - work), 0);
	write_thread(page, region->mostly_by);
	page_write_count(page, region->cuts);
	page_write_time(page, analysis_nanoseconds(analysis, region->waited), 0);
	write_thread(page, region->ended_by);
	fputs("</tr>\n", page->out);
	free(name);
}

/*
 * Contains all regions on the path, however small their part: only then do the parts add up to the
 * wall time.
 */
static void write_table(const struct page *page, const struct path_regions *found)
{
	static const struct page_column columns[] = {{"region", NULL},
	    {"on path", "part of the wall time"}, {"share", "of the wall time"},
	    {"work", "part of the wall time"}, {"waits", "part of the wall time"},
	    {"mostly by", "the thread"}, {"cuts", "how often a wait was left for what ended it"},
	    {"waits cut", "thread time of these waits"}, {"ended mostly by", "the thread"}};
	const struct path_region **order = memory_new(found->count, sizeof(order[0]));
	uint64_t wall = page->analysis->last_time - page->analysis->first_time;
	size_t count = 0, shown;

	for (size_t i = 0; i < found->count; i++) {
		if (found->regions[i].is_on_path)
			order[count++] = &found->regions[i];
	}
	qsort(order, count, sizeof(order[0]), compare_regions);
	shown = count < PAGE_SHORT_ROWS_MAX ? count : PAGE_SHORT_ROWS_MAX;
	page_start_table(page, "path", "Critical path",
	    "what the wall time consisted of; cuts: waits left for the thread that ended them",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < shown; i++)
		write_region(page, found, order[i], wall);
	page_end_table(page, shown, count, "critical-path");
	free(order);
}

void page_write_path(const struct page *page)
{
	/* Without teams, nothing is known of what a thread waits for. */
	if (page->analysis->path_regions && page->analysis->has_teams)
		write_table(page, page->analysis->path_regions);
}
