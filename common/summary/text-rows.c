/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many rows each table of the text form gets. For the screen, every table has its own limit. If
 * all of them together are too long, the longest loses rows first, and the regions are worth twice
 * the rows of others: the locks of a program with hundreds of them must not push its regions out of
 * sight.
 */
#include "printers.h"

#define SCREEN_LINES       60
#define SCREEN_REGIONS     15
#define SCREEN_CALLERS     6
#define SCREEN_HOT         6
#define SCREEN_PATHS       4
#define SCREEN_SERIAL      4
#define SCREEN_BLOCKED     4
#define SCREEN_LOCKS       8
#define SCREEN_TASKS       8
#define SCREEN_METRICS     8
#define HEAD_LINES         11 /* title with its rules, facts and efficiencies */
#define CATEGORY_LINES     2  /* blank line, title */
#define TABLE_FRAME_LINES  3  /* blank line, title, column titles */
#define ADVICE_FRAME_LINES 2
#define TRACE_LINES        2

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

/* Counts all lines except the tables. */
static size_t other_lines(const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t lines = HEAD_LINES + CATEGORY_LINES + ADVICE_FRAME_LINES;

	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		lines += summary_has_category(&printing->figures, (enum summary_category)i) != 0;
	lines += printing->figures.mpi >= 0; /* its share, in the head */
	for (int i = 0; i < printing->advice.count; i++)
		lines += (size_t)text_print_wrapped(
		    NULL, " - ", "   ", printing->advice.text[i], printing->columns);
	if (printing->advice.closing[0] != '\0')
		lines += (size_t)text_print_wrapped(
		    NULL, " ", " ", printing->advice.closing, printing->columns);
	if (summary->note)
		lines += 1 + (size_t)text_print_wrapped(
				 NULL, " ", " ", summary->note, printing->columns);
	lines += text_metrics_dropped(NULL, printing) + (summary->dropped_count > 0);
	lines += text_code_notes(NULL, printing) + text_chosen(NULL, printing) +
		 text_refused(NULL, printing);
	return lines + (summary->trace_path ? TRACE_LINES : 0);
}

static size_t table_lines(size_t rows, size_t count)
{
	return rows ? TABLE_FRAME_LINES + rows + (rows < count) : 0;
}

/* Returns how many rows the table of metrics could have. */
static size_t with_metrics(const struct summary *summary)
{
	return summary->metric_count > 0 ? summary->region_count : 0;
}

/*
 * Returns how many calls took at least a thousandth of the time of one thread: every program blocks
 * somewhere for a moment.
 */
static size_t worth_showing(const struct summary *summary)
{
	size_t count = 0;

	while (count < summary->blocked_call_count &&
	       summary->blocked_calls[count].time >= summary->wall / 1000)
		count++;
	return count;
}

static void fit_screen(struct printing *printing)
{
	const struct summary *summary = printing->summary;
	struct printing_rows *rows = &printing->rows;
	size_t others = other_lines(printing);

	rows->regions = least(summary->region_count, SCREEN_REGIONS);
	rows->callers = least(summary->caller_count, SCREEN_CALLERS);
	if (summary->samples >= SUMMARY_SAMPLES_SCREEN) {
		rows->hot = least(summary->hot_count, SCREEN_HOT);
		rows->paths = least(summary->team_path_count, SCREEN_PATHS);
		rows->serial = least(summary->serial_path_count, SCREEN_SERIAL);
	}
	rows->blocked = least(worth_showing(summary), SCREEN_BLOCKED);
	rows->locks = least(summary->lock_count, SCREEN_LOCKS);
	rows->tasks = least(summary->task_count, SCREEN_TASKS);
	rows->metrics = least(with_metrics(summary), SCREEN_METRICS);
	while (others + table_lines(rows->regions, summary->region_count) +
		   table_lines(rows->callers, summary->caller_count) +
		   table_lines(rows->hot, summary->hot_count) +
		   table_lines(rows->paths, summary->team_path_count) +
		   table_lines(rows->serial, summary->serial_path_count) +
		   table_lines(rows->blocked, rows->blocked > 0 ? summary->blocked_call_count : 0) +
		   table_lines(rows->locks, summary->lock_count) +
		   table_lines(rows->tasks, summary->task_count) +
		   table_lines(rows->metrics, with_metrics(summary)) >
	       SCREEN_LINES) {
		size_t *const tables[] = {&rows->regions, &rows->callers, &rows->hot, &rows->paths,
		    &rows->serial, &rows->blocked, &rows->locks, &rows->tasks, &rows->metrics};
		size_t *longest = tables[0];

		for (size_t i = 1; i < sizeof(tables) / sizeof(tables[0]); i++)
			if (*tables[i] * 2 > *longest * (longest == tables[0] ? 1 : 2))
				longest = tables[i];
		if (*longest <= 1)
			break;
		--*longest;
	}
}

void summary_choose_rows(struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t most = printing->max_rows ? printing->max_rows : SIZE_MAX;

	if (printing->max_rows == SUMMARY_ROWS_SCREEN) {
		fit_screen(printing);
		return;
	}
	printing->rows = (struct printing_rows){
	    .regions = least(summary->region_count, most),
	    .callers = least(summary->caller_count, most),
	    .hot = least(summary->hot_count, most),
	    .paths = least(summary->team_path_count, most),
	    .serial = least(summary->serial_path_count, most),
	    .blocked = least(summary->blocked_call_count, most),
	    .locks = least(summary->lock_count, most),
	    .tasks = least(summary->task_count, most),
	    .metrics = least(with_metrics(summary), most),
	};
}
