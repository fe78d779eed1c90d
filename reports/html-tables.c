/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of regions, locks and tasks. A cell shows a figure as people read it; what it is
 * sorted by stands beside it in full (data-v, -1 for what was not measured). Bars show a column's
 * shares of its greatest value.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "html.h"
#include "memory.h"

static void write_value(const struct html *html, uint64_t value, const char *text, double bar)
{
	if (value == SUMMARY_NOT_MEASURED)
		fputs("<td data-v=\"-1\"", html->out);
	else
		fprintf(html->out, "<td data-v=\"%" PRIu64 "\"", value);
	if (bar > 0.0005)
		fprintf(html->out, " class=\"bar\" style=\"--share:%.3f\"", bar);
	fprintf(html->out, ">%s</td>", text);
}

static void write_time(const struct html *html, uint64_t time, uint64_t greatest)
{
	char text[SUMMARY_FIGURE_SIZE];

	write_value(html, time, summary_format_time(text, time), summary_share(time, greatest));
}

static void write_count(const struct html *html, uint64_t count)
{
	char text[SUMMARY_FIGURE_SIZE];

	write_value(html, count, summary_format_exact(text, count), 0);
}

static void start_table(const struct html *html, const char *id, const char *title,
    const char *remark, const char *const *columns, size_t count)
{
	fprintf(html->out,
	    "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s <small>%s</small></h2>\n<div "
	    "class=\"scroll\">\n"
	    "<table class=\"sortable\">\n<thead><tr>",
	    id, id, title, remark);
	for (size_t i = 0; i < count; i++)
		fprintf(html->out, "<th scope=\"col\">%s</th>", columns[i]);
	fputs("</tr></thead>\n<tbody>\n", html->out);
}

static void end_table(const struct html *html, size_t shown, size_t count)
{
	fputs("</tbody>\n</table>\n</div>\n", html->out);
	if (shown < count)
		fprintf(html->out,
		    "<p class=\"quiet\">and %zu more; ompreport summary --format=csv has them "
		    "all</p>\n",
		    count - shown);
	fputs("</section>\n", html->out);
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t greater(uint64_t one, uint64_t other)
{
	if (other == SUMMARY_NOT_MEASURED || one == SUMMARY_NOT_MEASURED)
		return one == SUMMARY_NOT_MEASURED ? other : one;
	return one > other ? one : other;
}

/* The greatest values of the columns that have bars. */
struct greatest {
	uint64_t gain, time, self, body, imbalance, wait;
};

static struct greatest greatest_of(const struct summary *summary)
{
	struct greatest greatest = {0};

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];

		greatest.time = greater(greatest.time, region->time);
		greatest.self = greater(greatest.self, region->self);
		greatest.body = greater(greatest.body, region->body_max);
		greatest.imbalance = greater(greatest.imbalance, region->imbalance);
		greatest.wait =
		    greater(greatest.wait, summary_add(region->barrier_wait, region->enter_wait));
		greatest.gain = greater(greatest.gain, summary_gain(region));
	}
	return greatest;
}

static void write_region(
    const struct html *html, const struct summary_region *region, const struct greatest *greatest)
{
	char place[512];
	uint64_t mean = region->visits ? region->time / region->visits : SUMMARY_NOT_MEASURED;
	uint64_t body_mean = region->threads && region->body_sum != SUMMARY_NOT_MEASURED
				 ? region->body_sum / region->threads
				 : SUMMARY_NOT_MEASURED;

	summary_format_region(place, sizeof(place), region);
	fputs("<tr><td class=\"place\" title=\"", html->out);
	html_name(html, region->file ? region->file : "");
	fputs("\">", html->out);
	html_name(html, place);
	fputs("</td>", html->out);
	write_time(html, summary_gain(region), greatest->gain);
	write_count(html, region->visits);
	write_time(html, region->time, greatest->time);
	write_time(html, region->self, greatest->self);
	write_time(html, mean, 0);
	write_time(html, region->body_min, greatest->body);
	write_time(html, body_mean, greatest->body);
	write_time(html, region->body_max, greatest->body);
	write_time(html, region->imbalance, greatest->imbalance);
	write_time(html, summary_add(region->barrier_wait, region->enter_wait), greatest->wait);
	fputs("</tr>\n", html->out);
}

void html_write_regions(const struct html *html)
{
	static const char *const columns[] = {"region", "potential gain", "calls", "time",
	    "own time", "mean", "body min", "body avg", "body max", "imbalance", "wait"};
	const struct summary *summary = html->summary;
	const struct greatest greatest = greatest_of(summary);
	size_t *order = memory_new(summary->region_count, sizeof(order[0]));
	size_t shown =
	    summary->region_count < HTML_ROWS_MAX ? summary->region_count : HTML_ROWS_MAX;

	summary_order_regions(summary, order);
	start_table(html, "regions", "Regions",
	    "potential gain: thread time that waits of the region cost; body: time of a thread in "
	    "it",
	    columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++)
		write_region(html, &summary->regions[order[i]], &greatest);
	end_table(html, shown, summary->region_count);
	free(order);
}

static void write_locks(const struct html *html)
{
	static const char *const columns[] = {"lock", "acquired", "contended", "wait", "hold"};
	const struct summary *summary = html->summary;
	size_t shown =
	    summary->lock_count < HTML_SHORT_ROWS_MAX ? summary->lock_count : HTML_SHORT_ROWS_MAX;
	uint64_t wait = 0, hold = 0;

	if (summary->lock_count == 0)
		return;
	for (size_t i = 0; i < summary->lock_count; i++) {
		wait = greater(wait, summary->locks[i].wait);
		hold = greater(hold, summary->locks[i].hold);
	}
	start_table(html, "locks", "Locks and criticals", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		fputs("<tr><td class=\"place\">", html->out);
		html_name(html, lock->name);
		fputs("</td>", html->out);
		write_count(html, lock->acquisitions);
		write_count(html, lock->contended);
		write_time(html, lock->wait, wait);
		write_time(html, lock->hold, hold);
		fputs("</tr>\n", html->out);
	}
	end_table(html, shown, summary->lock_count);
}

static void write_tasks(const struct html *html)
{
	static const char *const columns[] = {
	    "task", "created", "executed", "undeferred", "creating", "executing", "mean"};
	const struct summary *summary = html->summary;
	size_t shown =
	    summary->task_count < HTML_SHORT_ROWS_MAX ? summary->task_count : HTML_SHORT_ROWS_MAX;
	uint64_t greatest = 0;

	if (summary->task_count == 0)
		return;
	for (size_t i = 0; i < summary->task_count; i++)
		greatest = greater(greatest, summary->tasks[i].execute_time);
	start_table(html, "tasks", "Tasks", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_task *task = &summary->tasks[i];

		fputs("<tr><td class=\"place\" title=\"", html->out);
		html_name(html, task->file);
		fputs("\">", html->out);
		html_name(html, summary_base_name(task->file));
		fprintf(html->out, ":%d task</td>", task->begin_line);
		write_count(html, task->created);
		write_count(html, task->executed);
		write_count(html, task->undeferred);
		write_time(html, task->create_time, greatest);
		write_time(html, task->execute_time, greatest);
		write_time(html,
		    task->executed ? task->execute_time / task->executed : SUMMARY_NOT_MEASURED, 0);
		fputs("</tr>\n", html->out);
	}
	end_table(html, shown, summary->task_count);
}

void html_write_synchronisation(const struct html *html)
{
	write_locks(html);
	write_tasks(html);
}
