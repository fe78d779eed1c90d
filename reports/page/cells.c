/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cells of the page's tables. A cell shows a figure in readable form; an attribute holds the
 * exact value for sorting (data-v, -1 if it was not measured).
 */
#include <inttypes.h>

#include "page.h"

static void write_value(const struct page *page, uint64_t value, const char *text, double bar)
{
	if (value == SUMMARY_NOT_MEASURED)
		fputs("<td data-v=\"-1\"", page->out);
	else
		fprintf(page->out, "<td data-v=\"%" PRIu64 "\"", value);
	if (bar > 0.0005)
		fprintf(page->out, " class=\"bar\" style=\"--share:%.3f\"", bar);
	fprintf(page->out, ">%s</td>", text);
}

void page_write_time(const struct page *page, uint64_t time, uint64_t greatest)
{
	char text[SUMMARY_FIGURE_SIZE];

	write_value(page, time, summary_format_time(text, time), summary_share(time, greatest));
}

void page_write_count(const struct page *page, uint64_t count)
{
	char text[SUMMARY_FIGURE_SIZE];

	write_value(page, count, summary_format_exact(text, count), 0);
}

void page_write_share(const struct page *page, double share, double bar)
{
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<td data-v=\"%.6f\"", share);
	if (bar > 0.0005)
		fprintf(page->out, " class=\"bar\" style=\"--share:%.3f\"", bar);
	fprintf(page->out, ">%s</td>", summary_format_share(text, share));
}

void page_write_change(const struct page *page, int64_t change, uint64_t greatest)
{
	uint64_t size = change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
	double bar = greatest ? summary_share(size, greatest) : 0;
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<td data-v=\"%" PRId64 "\"", change);
	if (bar > 0.0005)
		fprintf(page->out, " class=\"bar %s\" style=\"--share:%.3f\"",
		    change < 0 ? "less" : "more", bar);
	fprintf(page->out, ">%s%s</td>",
	    change < 0   ? "\xe2\x88\x92"
	    : change > 0 ? "+"
			 : "",
	    summary_format_time(text, size));
}

void page_start_table(const struct page *page, const char *id, const char *title,
    const char *remark, const struct page_column *columns, size_t count)
{
	fprintf(page->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s", id, id, title);
	if (remark[0])
		fprintf(page->out, " <small>%s</small>", remark);
	fputs("</h2>\n<div class=\"scroll\">\n<table class=\"sortable\">\n<thead><tr>", page->out);
	for (size_t i = 0; i < count; i++) {
		fputs("<th scope=\"col\"", page->out);
		if (columns[i].meaning)
			fprintf(page->out, " title=\"%s\"", columns[i].meaning);
		fprintf(page->out, ">%s</th>", columns[i].title);
	}
	fputs("</tr></thead>\n<tbody>\n", page->out);
}

void page_end_table(const struct page *page, size_t shown, size_t count, const char *command)
{
	fputs("</tbody>\n</table>\n</div>\n", page->out);
	if (shown < count)
		fprintf(page->out,
		    "<p class=\"quiet\">and %zu more; ompreport %s --format=csv has them "
		    "all</p>\n",
		    count - shown, command);
	fputs("</section>\n", page->out);
}

void page_write_meter(
    const struct page *page, const char *name, const char *meaning, int depth, double share)
{
	double width = share < 0 ? 0 : share > 1 ? 100 : share * 100;
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<div class=\"meter deep%d\"", depth);
	if (meaning)
		fprintf(page->out, " title=\"%s\"", meaning);
	fprintf(page->out,
	    "><span>%s</span><span class=\"figure\">%s</span>"
	    "<span class=\"track\"><i style=\"width:%.1f%%\"></i></span></div>\n",
	    name, summary_format_share(text, share), width);
}
