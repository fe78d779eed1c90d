/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of regions, locks and tasks. Bars show a column's shares of its greatest value. */
#include <stdlib.h>

#include "page.h"
#include "memory.h"

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
	html_time_cell(html, summary_gain(region), greatest->gain);
	html_count_cell(html, region->visits);
	html_time_cell(html, region->time, greatest->time);
	html_time_cell(html, region->self, greatest->self);
	html_time_cell(html, mean, 0);
	html_time_cell(html, region->body_min, greatest->body);
	html_time_cell(html, body_mean, greatest->body);
	html_time_cell(html, region->body_max, greatest->body);
	html_time_cell(html, region->imbalance, greatest->imbalance);
	html_time_cell(html, summary_add(region->barrier_wait, region->enter_wait), greatest->wait);
	fputs("</tr>\n", html->out);
}

void html_write_regions(const struct html *html)
{
	static const char *const columns[] = {"region", "potential gain", "calls", "time",
	    "own time", "mean", "least work", "mean work", "most work", "imbalance", "wait"};
	const struct summary *summary = html->summary;
	const struct greatest greatest = greatest_of(summary);
	size_t *order = memory_new(summary->region_count, sizeof(order[0]));
	size_t shown =
	    summary->region_count < HTML_ROWS_MAX ? summary->region_count : HTML_ROWS_MAX;

	summary_order_regions(summary, order);
	html_start_table(html, "regions", "Regions",
	    "potential gain: thread time that waits of the region cost; work: of a thread in its "
	    "body, without waits",
	    columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++)
		write_region(html, &summary->regions[order[i]], &greatest);
	html_end_table(html, shown, summary->region_count, "summary");
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
	html_start_table(html, "locks", "Locks and criticals", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		fputs("<tr><td class=\"place\">", html->out);
		html_name(html, lock->name);
		fputs("</td>", html->out);
		html_count_cell(html, lock->acquisitions);
		html_count_cell(html, lock->contended);
		html_time_cell(html, lock->wait, wait);
		html_time_cell(html, lock->hold, hold);
		fputs("</tr>\n", html->out);
	}
	html_end_table(html, shown, summary->lock_count, "summary");
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
	html_start_table(html, "tasks", "Tasks", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_task *task = &summary->tasks[i];

		fputs("<tr><td class=\"place\" title=\"", html->out);
		html_name(html, task->file);
		fputs("\">", html->out);
		html_name(html, summary_base_name(task->file));
		fprintf(html->out, ":%d task</td>", task->begin_line);
		html_count_cell(html, task->created);
		html_count_cell(html, task->executed);
		html_count_cell(html, task->undeferred);
		html_time_cell(html, task->create_time, greatest);
		html_time_cell(html, task->execute_time, greatest);
		html_time_cell(html,
		    task->executed ? task->execute_time / task->executed : SUMMARY_NOT_MEASURED, 0);
		fputs("</tr>\n", html->out);
	}
	html_end_table(html, shown, summary->task_count, "summary");
}

void html_write_synchronisation(const struct html *html)
{
	write_locks(html);
	write_tasks(html);
}
