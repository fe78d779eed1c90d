/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread's time went to, as stacked bars with their figures; many threads share rows. */
#include <inttypes.h>

#include "page.h"

/* In the order of the bars: work, then waits, then idle time. */
static const enum activity order[] = {ACTIVITY_SERIAL, ACTIVITY_WORK, ACTIVITY_TASK, ACTIVITY_MPI,
    ACTIVITY_BARRIER, ACTIVITY_LOCK, ACTIVITY_TASK_WAIT, ACTIVITY_TEAM};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void write_time(const struct html *html, uint64_t ticks)
{
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(html->out, "<td data-v=\"%" PRIu64 "\">%s</td>", ticks,
	    summary_format_time(text, analysis_nanoseconds(html->analysis, ticks)));
}

static void write_row(const struct html *html, size_t lane)
{
	const struct analysis *analysis = html->analysis;
	uint64_t sums[ACTIVITIES] = {0}, all = 0;
	size_t first = timeline_row_begin(analysis->timeline, lane);
	size_t next = timeline_row_begin(analysis->timeline, lane + 1);
	uint64_t wall = (analysis->last_time - analysis->first_time) * (next - first);

	for (size_t i = first; i < next; i++) {
		for (int j = 0; j < ACTIVITIES; j++)
			sums[j] += analysis->threads[i].activities[j];
	}
	fputs("<tr><th scope=\"row\">", html->out);
	html_write_lane(html, lane);
	fputs("</th><td class=\"wide\"><div class=\"stack\" aria-hidden=\"true\">", html->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		double share = summary_share(sums[order[i]], wall);

		all += sums[order[i]];
		if (share > 0)
			fprintf(html->out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
			    html_activities[order[i]].css, share * 100);
	}
	fputs("</div></td>", html->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		if (html_shows(html, order[i]))
			write_time(html, sums[order[i]]);
	}
	sums[ACTIVITY_NONE] = wall > all ? wall - all : 0;
	write_time(html, sums[ACTIVITY_NONE]);
	fputs("</tr>\n", html->out);
}

void html_write_threads(const struct html *html)
{
	fputs(
	    "<section aria-labelledby=\"threads\">\n<h2 id=\"threads\">Threads <small>of the wall "
	    "time</small></h2>\n<div class=\"scroll\">\n<table class=\"sortable\">\n<thead><tr>"
	    "<th scope=\"col\">thread</th><th scope=\"col\">share</th>",
	    html->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		if (html_shows(html, order[i]))
			fprintf(html->out, "<th scope=\"col\">%s</th>",
			    html_activities[order[i]].title);
	}
	fprintf(html->out, "<th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
	    html_activities[ACTIVITY_NONE].title);
	for (size_t lane = 0; lane < html->rows->lanes; lane++)
		write_row(html, lane);
	fputs("</tbody>\n</table>\n</div>\n</section>\n", html->out);
}
