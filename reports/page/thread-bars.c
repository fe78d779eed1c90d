/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How each thread spent its time, as stacked bars with figures; if there are many threads, they
 * share rows. Then groups of similar threads come first, and the rows are shown on demand.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "group-table.h"
#include "memory.h"

/* In the order of the bars: work, then waits, then idle time. */
static const enum activity order[] = {ACTIVITY_SERIAL, ACTIVITY_WORK, ACTIVITY_TASK, ACTIVITY_MPI,
    ACTIVITY_DELAYED, ACTIVITY_BLOCKED, ACTIVITY_BARRIER, ACTIVITY_LOCK, ACTIVITY_TASK_WAIT,
    ACTIVITY_TEAM};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void write_time(const struct page *page, uint64_t ticks)
{
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<td data-v=\"%" PRIu64 "\">%s</td>", ticks,
	    summary_format_time(text, analysis_nanoseconds(page->analysis, ticks)));
}

static void write_row(const struct page *page, size_t lane)
{
	const struct analysis *analysis = page->analysis;
	uint64_t sums[ACTIVITIES] = {0}, all = 0;
	size_t first = page->rows->begins[lane], next = page->rows->begins[lane + 1];
	uint64_t wall = (analysis->last_time - analysis->first_time) * (next - first);

	for (size_t i = first; i < next; i++) {
		for (int j = 0; j < ACTIVITIES; j++)
			sums[j] += analysis->threads[i].activities[j];
	}
	fputs("<tr><th scope=\"row\">", page->out);
	page_write_lane(page, lane);
	fputs("</th><td class=\"wide\"><div class=\"stack\" aria-hidden=\"true\">", page->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		double share = summary_share(sums[order[i]], wall);

		all += sums[order[i]];
		if (share > 0)
			fprintf(page->out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
			    page_activities[order[i]].css, share * 100);
	}
	fputs("</div></td>", page->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		if (page_shows(page, order[i]))
			write_time(page, sums[order[i]]);
	}
	sums[ACTIVITY_NONE] = wall > all ? wall - all : 0;
	write_time(page, sums[ACTIVITY_NONE]);
	fputs("</tr>\n", page->out);
}

static char *name_of(const struct page *page, size_t number)
{
	return archive_thread_name(page->analysis->archive, number);
}

/* Groups the threads that have events by their shares of the wall time. */
static void write_groups(const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	size_t threads = analysis->archive->thread_count;
	uint64_t wall = analysis->last_time - analysis->first_time;
	struct page_part parts[COUNT_OF(order)];
	struct page_groups groups = {"like-threads", "Threads alike", "thread", "threads", parts,
	    COUNT_OF(order), memory_new(threads * COUNT_OF(order), sizeof(double)),
	    memory_new(threads, sizeof(size_t)), 0, name_of};

	for (size_t i = 0; i < COUNT_OF(order); i++)
		parts[i] = (struct page_part){
		    page_activity_title(page, order[i]), page_activities[order[i]].css};
	for (size_t i = 0; i < threads; i++) {
		const struct thread *thread = &analysis->threads[i];

		if (!thread->seen)
			continue;
		for (size_t j = 0; j < COUNT_OF(order); j++) {
			double share = summary_share(thread->activities[order[j]], wall);

			groups.profiles[groups.count * COUNT_OF(order) + j] = share < 0 ? 0 : share;
		}
		groups.numbers[groups.count++] = i;
	}
	page_write_groups(page, &groups);
	free(groups.profiles);
	free(groups.numbers);
}

/* Whether a thread of the lane has events: the archive may define threads that did nothing. */
static bool has_events(const struct page *page, size_t lane)
{
	const size_t *begins = page->rows->begins;

	for (size_t i = begins[lane]; i < begins[lane + 1]; i++)
		if (page->analysis->threads[i].seen)
			return true;
	return false;
}

static void write_head(const struct page *page, enum activity activity)
{
	fprintf(page->out, "<th scope=\"col\" title=\"%s\">%s</th>",
	    page_activities[activity].meaning, page_activity_title(page, activity));
}

static void write_table(const struct page *page)
{
	fputs("<div class=\"scroll\">\n<table class=\"sortable\">\n<thead><tr>"
	      "<th scope=\"col\">thread</th><th scope=\"col\">share</th>",
	    page->out);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		if (page_shows(page, order[i]))
			write_head(page, order[i]);
	}
	write_head(page, ACTIVITY_NONE);
	fputs("</tr></thead>\n<tbody>\n", page->out);
	for (size_t lane = 0; lane < page->rows->lanes; lane++) {
		if (has_events(page, lane))
			write_row(page, lane);
	}
	fputs("</tbody>\n</table>\n</div>\n", page->out);
}

void page_write_threads(const struct page *page)
{
	bool many = page->analysis->archive->thread_count > PAGE_GROUPS_FROM;

	if (many)
		write_groups(page);
	fputs("<section aria-labelledby=\"threads\">\n<h2 id=\"threads\">Threads <small>wall time "
	      "of each thread</small></h2>\n",
	    page->out);
	if (many)
		page_start_details(page, "all threads");
	write_table(page);
	if (many)
		page_end_details(page);
	fputs("</section>\n", page->out);
}
