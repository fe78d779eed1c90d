/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of regions, locks and tasks. Bars show a column's shares of its greatest value. */
#include <inttypes.h>
#include <stdlib.h>

#include "memory.h"
#include "nesting.h"
#include "page.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t greater(uint64_t one, uint64_t other)
{
	if (other == SUMMARY_NOT_MEASURED || one == SUMMARY_NOT_MEASURED)
		return one == SUMMARY_NOT_MEASURED ? other : one;
	return one > other ? one : other;
}

static uint64_t visits_of(const struct summary_region *region)
{
	return region->visits;
}

static uint64_t time_of(const struct summary_region *region)
{
	return region->time;
}

static uint64_t self_of(const struct summary_region *region)
{
	return region->self;
}

static uint64_t mean_of(const struct summary_region *region)
{
	return summary_mean(region->time, region->visits);
}

static uint64_t least_work_of(const struct summary_region *region)
{
	return region->body_min;
}

static uint64_t mean_work_of(const struct summary_region *region)
{
	return summary_mean(region->body_sum, region->threads);
}

static uint64_t most_work_of(const struct summary_region *region)
{
	return region->body_max;
}

static uint64_t imbalance_of(const struct summary_region *region)
{
	return region->imbalance;
}

static uint64_t delayed_of(const struct summary_region *region)
{
	return region->delayed;
}

static uint64_t blocked_of(const struct summary_region *region)
{
	return region->blocked;
}

static uint64_t faults_of(const struct summary_region *region)
{
	return region->faults;
}

static uint64_t wait_of(const struct summary_region *region)
{
	return summary_add(region->barrier_wait, region->enter_wait);
}

/* How a column's cells are written, and which column's greatest value scales their bars. */
enum cells { CELLS_COUNT, CELLS_TIME, CELLS_SHARE };

static const struct {
	struct page_column head;
	enum cells cells;
	uint64_t (*value_of)(const struct summary_region *region);
	uint64_t (*bar_of)(const struct summary_region *region); /* NULL: no bars */
	bool needs_some;                                         /* a column of zeros is left out */
} region_columns[] = {
    {{"share", "of the thread time: the region's own, without nested regions, with its waits"},
	CELLS_SHARE, nesting_own_time, NULL},
    {{"potential gain", "thread time that the waits of the region cost"}, CELLS_TIME, summary_gain,
	summary_gain},
    {{"calls", "how often threads executed it"}, CELLS_COUNT, visits_of, NULL},
    {{"thread time", "summed over threads, with nested regions and waits"}, CELLS_TIME, time_of,
	time_of},
    {{"own time", "thread time without nested regions and without waits"}, CELLS_TIME, self_of,
	self_of},
    {{"mean", "time of one thread's call"}, CELLS_TIME, mean_of, NULL},
    {{"least work", "time in the body, without waits, of the thread that had least"}, CELLS_TIME,
	least_work_of, most_work_of},
    {{"mean work", "time in the body, without waits, of a thread on average"}, CELLS_TIME,
	mean_work_of, most_work_of},
    {{"most work", "time in the body, without waits, of the thread that had most"}, CELLS_TIME,
	most_work_of, most_work_of},
    {{"imbalance", "thread time: what others lack of the thread with most work, by execution"},
	CELLS_TIME, imbalance_of, imbalance_of},
    {{"wait", "thread time at the region's barrier and before it was entered"}, CELLS_TIME, wait_of,
	wait_of},
    {{"no processor", "thread time: ready to work, while others had the processors"}, CELLS_TIME,
	delayed_of, delayed_of, true},
    {{"blocked", "thread time in system calls that waited, outside of OpenMP's waits"}, CELLS_TIME,
	blocked_of, blocked_of, true},
    {{"page faults", "how many"}, CELLS_COUNT, faults_of, NULL, true},
};

enum { REGION_COLUMNS = COUNT_OF(region_columns) };

/* The columns of the table, those with a value, and the greatest value of each column's bars. */
struct region_table {
	bool has[REGION_COLUMNS];
	uint64_t greatest[REGION_COLUMNS];
};

static struct region_table plan_columns(const struct summary *summary)
{
	struct region_table table = {{false}};

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];

		for (size_t j = 0; j < REGION_COLUMNS; j++) {
			uint64_t value = region_columns[j].value_of(region);

			table.has[j] |= value != SUMMARY_NOT_MEASURED &&
					(value > 0 || !region_columns[j].needs_some);
			if (region_columns[j].bar_of)
				table.greatest[j] =
				    greater(table.greatest[j], region_columns[j].bar_of(region));
		}
	}
	return table;
}

static void write_own_share(const struct page *page, uint64_t time)
{
	page_write_share(page, summary_share(time, page->figures.chosen), 0);
}

/* The number of the construct with the region's name. */
static uint32_t construct_of(const struct page *page, const struct summary_region *region)
{
	const struct analysis *analysis = page->analysis;
	uint32_t construct = 0;

	while (construct < analysis->construct_count &&
	       analysis->constructs[construct].name != region->name)
		construct++;
	return construct;
}

static void write_region_name(
    const struct page *page, const struct summary_region *region, int depth)
{
	size_t source = page_source_place(page, region->file, region->begin_line);
	char place[512];

	summary_format_region(place, sizeof(place), region);
	fprintf(page->out, "<tr data-construct=\"%" PRIu32 "\"><td class=\"place\"",
	    construct_of(page, region));
	if (depth > 0)
		fprintf(page->out, " style=\"--depth:%d\"", depth < 8 ? depth : 8);
	fputs(" title=\"", page->out);
	page_write_name(page, region->file ? region->file : "");
	fputs("\">", page->out);
	if (source != PAGE_NO_SOURCE)
		fprintf(page->out, "<a href=\"#source-%zu-%d\">", source, region->begin_line);
	page_write_name(page, place);
	fputs(source != PAGE_NO_SOURCE ? "</a></td>" : "</td>", page->out);
}

static void write_region(const struct page *page, const struct summary_region *region, int depth,
    const struct region_table *table)
{
	write_region_name(page, region, depth);
	for (size_t i = 0; i < REGION_COLUMNS; i++) {
		uint64_t value = region_columns[i].value_of(region);

		if (!table->has[i])
			continue;
		if (region_columns[i].cells == CELLS_COUNT)
			page_write_count(page, value);
		else if (region_columns[i].cells == CELLS_SHARE)
			write_own_share(page, value);
		else
			page_write_time(page, value, table->greatest[i]);
	}
	fputs("</tr>\n", page->out);
}

/* Writes the note once, if a region of the table has the mark. */
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
	const struct summary *summary = page->summary;
	struct region_table table = plan_columns(summary);
	struct page_column columns[1 + REGION_COLUMNS] = {{"region", NULL}};
	struct nested_region *order = nesting_order(summary);
	size_t shown =
	    summary->region_count < PAGE_ROWS_MAX ? summary->region_count : PAGE_ROWS_MAX;
	size_t count = 1;

	for (size_t i = 0; i < REGION_COLUMNS; i++)
		if (table.has[i])
			columns[count++] = region_columns[i].head;
	page_start_table(page, "regions", "Regions",
	    "within another region's lines: below it; potential gain: thread time that waits of the "
	    "region cost; work: of a thread in its body, without waits",
	    columns, count);
	for (size_t i = 0; i < shown; i++)
		write_region(page, &summary->regions[order[i].index], order[i].depth, &table);
	page_end_table(page, shown, summary->region_count, "summary");
	write_mark_note(page);
	free(order);
}

static void write_locks(const struct page *page)
{
	static const struct page_column columns[] = {{"lock", NULL}, {"acquired", "how often"},
	    {"contended", "how often another thread held it"},
	    {"wait", "thread time until it was acquired"}, {"hold", "time that it was held"}};
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
	static const struct page_column columns[] = {{"task", NULL}, {"created", "how many"},
	    {"executed", "how many"},
	    {"undeferred", "how many were executed where they were created"},
	    {"creating", "thread time"}, {"executing", "thread time, without suspensions"},
	    {"mean", "time to execute one"}};
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
		page_write_time(page, summary_mean(task->execute_time, task->executed), 0);
		fputs("</tr>\n", page->out);
	}
	page_end_table(page, shown, summary->task_count, "summary");
}

void page_write_synchronisation(const struct page *page)
{
	write_locks(page);
	write_tasks(page);
}
