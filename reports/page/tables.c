/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of regions, locks and tasks. Bars show a column's shares of its greatest value. */
#include <stdlib.h>

#include "memory.h"
#include "page.h"

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
    const struct page *page, const struct summary_region *region, const struct greatest *greatest)
{
	char place[512];
	size_t source = page_source_file(page, region);
	uint64_t mean = region->visits ? region->time / region->visits : SUMMARY_NOT_MEASURED;
	uint64_t body_mean = region->threads && region->body_sum != SUMMARY_NOT_MEASURED
				 ? region->body_sum / region->threads
				 : SUMMARY_NOT_MEASURED;

	summary_format_region(place, sizeof(place), region);
	fputs("<tr><td class=\"place\" title=\"", page->out);
	page_write_name(page, region->file ? region->file : "");
	fputs("\">", page->out);
	if (source != PAGE_NO_SOURCE)
		fprintf(page->out, "<a href=\"#source-%zu-%d\">", source, region->begin_line);
	page_write_name(page, place);
	fputs(source != PAGE_NO_SOURCE ? "</a></td>" : "</td>", page->out);
	page_write_time(page, summary_gain(region), greatest->gain);
	page_write_count(page, region->visits);
	page_write_time(page, region->time, greatest->time);
	page_write_time(page, region->self, greatest->self);
	page_write_time(page, mean, 0);
	page_write_time(page, region->body_min, greatest->body);
	page_write_time(page, body_mean, greatest->body);
	page_write_time(page, region->body_max, greatest->body);
	page_write_time(page, region->imbalance, greatest->imbalance);
	page_write_time(
	    page, summary_add(region->barrier_wait, region->enter_wait), greatest->wait);
	fputs("</tr>\n", page->out);
}

/* Once, where a region of the table has the mark. */
static void write_mark_note(const struct page *page)
{
	for (size_t i = 0; i < page->summary->region_count; i++)
		if (summary_marks_region(&page->summary->regions[i])) {
			fputs("<p>" SUMMARY_MARK " " SUMMARY_MARK_NOTE "</p>\n", page->out);
			return;
		}
}

void page_write_regions(const struct page *page)
{
	static const char *const columns[] = {"region", "potential gain", "calls", "time",
	    "own time", "mean", "least work", "mean work", "most work", "imbalance", "wait"};
	const struct summary *summary = page->summary;
	const struct greatest greatest = greatest_of(summary);
	size_t *order = memory_new(summary->region_count, sizeof(order[0]));
	size_t shown =
	    summary->region_count < PAGE_ROWS_MAX ? summary->region_count : PAGE_ROWS_MAX;

	summary_order_regions(summary, order);
	page_start_table(page, "regions", "Regions",
	    "potential gain: thread time that waits of the region cost; work: of a thread in its "
	    "body, without waits",
	    columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++)
		write_region(page, &summary->regions[order[i]], &greatest);
	page_end_table(page, shown, summary->region_count, "summary");
	write_mark_note(page);
	free(order);
}

static void write_locks(const struct page *page)
{
	static const char *const columns[] = {"lock", "acquired", "contended", "wait", "hold"};
	const struct summary *summary = page->summary;
	size_t shown =
	    summary->lock_count < PAGE_SHORT_ROWS_MAX ? summary->lock_count : PAGE_SHORT_ROWS_MAX;
	uint64_t wait = 0, hold = 0;

	if (summary->lock_count == 0)
		return;
	for (size_t i = 0; i < summary->lock_count; i++) {
		wait = greater(wait, summary->locks[i].wait);
		hold = greater(hold, summary->locks[i].hold);
	}
	page_start_table(page, "locks", "Locks and criticals", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		fputs("<tr><td class=\"place\">", page->out);
		page_write_name(page, lock->name);
		fputs("</td>", page->out);
		page_write_count(page, lock->acquisitions);
		page_write_count(page, lock->contended);
		page_write_time(page, lock->wait, wait);
		page_write_time(page, lock->hold, hold);
		fputs("</tr>\n", page->out);
	}
	page_end_table(page, shown, summary->lock_count, "summary");
}

static void write_tasks(const struct page *page)
{
	static const char *const columns[] = {
	    "task", "created", "executed", "undeferred", "creating", "executing", "mean"};
	const struct summary *summary = page->summary;
	size_t shown =
	    summary->task_count < PAGE_SHORT_ROWS_MAX ? summary->task_count : PAGE_SHORT_ROWS_MAX;
	uint64_t greatest = 0;

	if (summary->task_count == 0)
		return;
	for (size_t i = 0; i < summary->task_count; i++)
		greatest = greater(greatest, summary->tasks[i].execute_time);
	page_start_table(page, "tasks", "Tasks", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_task *task = &summary->tasks[i];

		fputs("<tr><td class=\"place\" title=\"", page->out);
		page_write_name(page, task->file);
		fputs("\">", page->out);
		page_write_name(page, summary_base_name(task->file));
		if (task->begin_line > 0)
			fprintf(page->out, ":%d", task->begin_line);
		fputs(" task</td>", page->out);
		page_write_count(page, task->created);
		page_write_count(page, task->executed);
		page_write_count(page, task->undeferred);
		page_write_time(page, task->create_time, greatest);
		page_write_time(page, task->execute_time, greatest);
		page_write_time(page,
		    task->executed ? task->execute_time / task->executed : SUMMARY_NOT_MEASURED, 0);
		fputs("</tr>\n", page->out);
	}
	page_end_table(page, shown, summary->task_count, "summary");
}

void page_write_synchronisation(const struct page *page)
{
	write_locks(page);
	write_tasks(page);
}
