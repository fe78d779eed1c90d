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

/* Which columns are shown: the share only of a whole run's wall time, which the rows are of. */
struct shown {
	bool share, ways;
};

static void write_row(const struct page *page, const struct summary_caller *caller,
    struct shown shown, uint64_t longest)
{
	char region[CALLER_REGION_SIZE];

	fputs("<tr>", page->out);
	write_place(page, caller->file, caller->line, caller->function);
	page_write_time(page, caller->time, longest);
	if (shown.share)
		page_write_share(page, summary_share(caller->time, page->summary->wall), 0);
	page_write_count(page, caller->calls);
	page_write_time(page, summary_mean(caller->time, caller->calls), 0);
	fputs("<td class=\"place\">", page->out);
	page_write_name(page, caller_region(region, sizeof(region), caller));
	fputs("</td>", page->out);
	if (shown.ways && caller_is_called_by_way(caller))
		write_place(page, caller->inner_file, caller->inner_line, caller->inner_function);
	else if (shown.ways)
		fputs("<td class=\"place\"></td>", page->out);
	fputs("</tr>\n", page->out);
}

void page_write_called(const struct page *page)
{
	const struct summary *summary = page->summary;
	struct shown shown = {.share = !summary->is_part};
	struct page_column columns[7] = {{"line of Python", NULL},
	    {"time", "of the threads that forked the teams, from fork to join"}};
	size_t rows = summary->caller_count < PAGE_SHORT_ROWS_MAX ? summary->caller_count
								  : PAGE_SHORT_ROWS_MAX;
	size_t count = 2;

	if (rows == 0)
		return;
	for (size_t i = 0; i < rows; i++)
		shown.ways |= caller_is_called_by_way(&summary->callers[i]);
	if (shown.share)
		columns[count++] = (struct page_column){"share", "of the wall time"};
	columns[count++] = (struct page_column){"calls", "teams that were forked from there"};
	columns[count++] = (struct page_column){"mean", "time of one call"};
	columns[count++] = (struct page_column){"region", NULL};
	if (shown.ways)
		columns[count++] = (struct page_column){
		    CALLER_WAY_TITLE, "the innermost line of Python, in a library"};
	page_start_table(page, "called", "Called from Python",
	    summary->is_part ? "of the whole run" : "", columns, count);
	for (size_t i = 0; i < rows; i++)
		write_row(page, &summary->callers[i], shown, summary->callers[0].time);
	page_end_table(page, rows, summary->caller_count, "callers");
}
