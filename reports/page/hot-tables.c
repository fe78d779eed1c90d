/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines and functions in which threads spent processor time, by samples, and those whose system
 * calls blocked threads.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "common/blocked-rows.h"
#include "memory.h"
#include "page.h"
#include "sampled-code.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A table of rows of one kind. */
struct hot_table {
	const struct page *page;
	const struct hot_code *hot;
	double sample_time; /* ns; 0: unknown */
};

static void write_samples(const struct hot_table *table, uint64_t samples, double greatest)
{
	double share = summary_share(samples, table->hot->chosen);

	page_write_share(table->page, share, greatest > 0 ? share / greatest : 0);
}

static void write_text(const struct page *page, const char *text)
{
	fputs("<td>", page->out);
	page_write_name(page, text);
	fputs("</td>", page->out);
}

/* Begins a row with a line of code, which leads to the source if the page shows it. */
static void write_place(const struct page *page, const char *file, int line)
{
	size_t source = page_source_place(page, file, line);

	fputs("<tr><td class=\"place\" title=\"", page->out);
	page_write_name(page, file);
	fputs("\">", page->out);
	if (source != PAGE_NO_SOURCE)
		fprintf(page->out, "<a href=\"#source-%zu-%d\">", source, line);
	page_write_name(page, file[0] ? summary_base_name(file) : "?");
	if (line > 0)
		fprintf(page->out, ":%d", line);
	fputs(source != PAGE_NO_SOURCE ? "</a></td>" : "</td>", page->out);
}

static void write_row_end(const struct hot_table *table, const struct hot_row *row)
{
	char *place = analysis_place_name(table->page->analysis, row->place);

	page_write_count(table->page, row->samples);
	if (table->sample_time > 0)
		page_write_time(
		    table->page, (uint64_t)((double)row->samples * table->sample_time), 0);
	if (table->hot->waits > 0)
		write_samples(table, row->waits, 0);
	write_text(table->page, place);
	fputs("</tr>\n", table->page->out);
	free(place);
}

static void write_line(const struct hot_table *table, const struct hot_row *row)
{
	write_place(table->page, row->file, row->line);
	write_text(table->page, row->function);
	write_samples(
	    table, row->samples, summary_share(table->hot->rows[0].samples, table->hot->chosen));
	write_row_end(table, row);
}

static void write_function(const struct hot_table *table, const struct hot_row *row)
{
	const struct page *page = table->page;

	fputs("<tr><td class=\"place\" title=\"", page->out);
	page_write_name(page, row->file);
	fputs("\">", page->out);
	page_write_name(page, row->function[0] ? row->function : "?");
	fputs("</td>", page->out);
	write_text(page, row->file[0] ? summary_base_name(row->file) : "");
	write_samples(table, row->samples, 1);
	write_samples(table, row->inclusive, 1);
	write_row_end(table, row);
}

/* Writes the kind's table; its first columns are given. */
static void write_table(const struct page *page, enum hot_kind kind, const char *id,
    const char *title, const char *remark, const struct page_column *first, size_t count,
    void (*write)(const struct hot_table *table, const struct hot_row *row), const char *command)
{
	struct hot_code hot =
	    hot_code_collect(page->analysis, kind, page->takes, page->takes_context);
	struct hot_table table = {page, &hot, hot_sample_time(page->analysis)};
	struct page_column columns[8];
	size_t shown = hot.count < PAGE_SHORT_ROWS_MAX ? hot.count : PAGE_SHORT_ROWS_MAX;

	for (size_t i = 0; i < count; i++)
		columns[i] = first[i];
	columns[count++] = (struct page_column){"samples", "taken in it"};
	if (table.sample_time > 0)
		columns[count++] =
		    (struct page_column){"processor time", "for which its samples stand"};
	if (hot.waits > 0)
		columns[count++] =
		    (struct page_column){"in waits", "the part of its share in OpenMP's waits"};
	columns[count++] =
	    (struct page_column){"mostly in", "the innermost construct around most of its samples"};
	if (hot.samples > 0) {
		page_start_table(page, id, title, remark, columns, count);
		for (size_t i = 0; i < shown; i++)
			write(&table, &hot.rows[i]);
		page_end_table(page, shown, hot.count, command);
	}
	hot_code_finish(&hot);
}

void page_write_hot(const struct page *page)
{
	static const struct page_column lines[] = {{"line", NULL},
	    {"function", "that has the line"},
	    {"share", "of the samples, which are taken by processor time"}};
	static const struct page_column functions[] = {{"function", NULL}, {"in", "its file"},
	    {"share", "of the samples: in itself"},
	    {"with calls", "of the samples: in itself and in all that it calls"}};

	write_table(page, HOT_LINES, "hot", "Hot code",
	    "lines that threads executed, by samples of the processor time", lines, COUNT_OF(lines),
	    write_line, "hot");
	write_table(page, HOT_FUNCTIONS, "hot-functions", "Hot functions",
	    "functions that threads executed, by the same samples", functions, COUNT_OF(functions),
	    write_function, "hot --functions");
}

/* As analysis_place_name() names the place. */
static void write_construct(const struct page *page, const struct summary_blocked *row)
{
	fputs("<td>", page->out);
	if (row->construct) {
		page_write_name(page, summary_base_name(row->construct_file));
		fprintf(page->out, ":%d ", row->construct_line);
	}
	page_write_name(page, row->construct   ? row->construct
			      : row->is_serial ? "serial part"
					       : "?");
	fputs("</td></tr>\n", page->out);
}

void page_write_blocked(const struct page *page)
{
	static const struct page_column columns[] = {{"line", "of the program's own call"},
	    {"function", "that has the line"},
	    {"for", "the system call, or what the thread waited for in it"},
	    {"time", "thread time"}, {"seen", "how often a thread was seen in the call"},
	    {"in", "the innermost construct"}};
	const struct summary *summary = page->summary;
	size_t count = summary->blocked_call_count;
	size_t shown = count < PAGE_SHORT_ROWS_MAX ? count : PAGE_SHORT_ROWS_MAX;

	if (count == 0)
		return;
	page_start_table(page, "blocked-calls", "Blocked in the kernel",
	    "by system calls, outside of OpenMP's waits", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct summary_blocked *row = &summary->blocked_calls[i];
		char title[BLOCKED_NAME_SIZE];

		write_place(page, row->file ? row->file : "", row->line);
		write_text(page, row->function ? row->function : "");
		write_text(page, blocked_title(title, row));
		page_write_time(page, row->time, summary->blocked_calls[0].time);
		page_write_count(page, row->seen);
		write_construct(page, row);
	}
	page_end_table(page, shown, count, "summary");
}

void page_add_heat(struct annotations *annotations, const struct analysis *analysis)
{
	struct hot_code hot = hot_code_collect(analysis, HOT_LINES, NULL, NULL);
	struct line_heat *lines = memory_new(hot.count, sizeof(lines[0]));
	size_t count = 0;

	for (size_t i = 0; i < hot.count; i++)
		if (hot.rows[i].line > 0 && hot.rows[i].file[0])
			lines[count++] = (struct line_heat){hot.rows[i].file, hot.rows[i].line,
			    hot.rows[i].function, summary_share(hot.rows[i].samples, hot.samples)};
	annotations_add_heat(annotations, lines, count, PAGE_HEAT_LEAST);
	free(lines);
	hot_code_finish(&hot);
}
