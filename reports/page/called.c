/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of Python that called parallel regions, longest first. */
#include "common/caller-rows.h"
#include "page.h"

static void write_place(const struct page *page, const char *file, int line, const char *function)
{
	fputs("<td class=\"place\" title=\"", page->out);
	page_write_name(page, file);
	fputs("\">", page->out);
	page_write_name(page, summary_base_name(file));
	fprintf(page->out, ":%d ", line);
	page_write_name(page, function);
	fputs("</td>", page->out);
}

static void write_row(
    const struct page *page, const struct summary_caller *caller, bool has_ways, uint64_t longest)
{
	double share = summary_share(caller->time, page->summary->wall);
	char region[CALLER_REGION_SIZE];

	fputs("<tr>", page->out);
	write_place(page, caller->file, caller->line, caller->function);
	page_write_share(page, share, 0);
	page_write_time(page, caller->time, longest);
	page_write_count(page, caller->calls);
	page_write_time(page, summary_mean(caller->time, caller->calls), 0);
	fputs("<td class=\"place\">", page->out);
	page_write_name(page, caller_region(region, sizeof(region), caller));
	fputs("</td>", page->out);
	if (has_ways && caller_is_called_by_way(caller))
		write_place(page, caller->inner_file, caller->inner_line, caller->inner_function);
	else if (has_ways)
		fputs("<td class=\"place\"></td>", page->out);
	fputs("</tr>\n", page->out);
}

void page_write_called(const struct page *page)
{
	static const struct page_column columns[] = {{"line of Python", NULL},
	    {"share", "of the wall time"},
	    {"time", "of the threads that forked the teams, from fork to join"},
	    {"calls", "teams that were forked from there"}, {"mean", "time of one call"},
	    {"region", NULL}, {CALLER_WAY_TITLE, "the innermost line of Python, in a library"}};
	const struct summary *summary = page->summary;
	size_t shown = summary->caller_count < PAGE_SHORT_ROWS_MAX ? summary->caller_count
								   : PAGE_SHORT_ROWS_MAX;
	bool has_ways = false;

	if (summary->caller_count == 0)
		return;
	for (size_t i = 0; i < shown; i++)
		has_ways |= caller_is_called_by_way(&summary->callers[i]);
	page_start_table(page, "called", "Called from Python", "", columns,
	    sizeof(columns) / sizeof(columns[0]) - (has_ways ? 0 : 1));
	for (size_t i = 0; i < shown; i++)
		write_row(page, &summary->callers[i], has_ways, summary->callers[0].time);
	page_end_table(page, shown, summary->caller_count, "callers");
}
