/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for people: a few figures about the run, how the thread time was spent, then the
 * tables of regions, locks and tasks and the advice. ASCII except for the names; one screen of 80
 * columns for a usual program.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "printers.h"

#define LABEL_WIDTH      14
#define VALUE_WIDTH      12
#define EFFICIENCY_WIDTH 20
#define SHARE_WIDTH      6
#define CATEGORY_WIDTH   28
#define TIME_WIDTH       7
#define BAR_WIDTH_MIN    8
#define HEAD_LINES_MAX   9
#define METRIC_COLUMNS   20

static void print_rule(FILE *out, int columns, char mark)
{
	for (int i = 0; i < columns; i++)
		fputc(mark, out);
	fputc('\n', out);
}

/* One line of the head: a fact on the left, an efficiency with its bar on the right. */
struct head_line {
	const char *label;
	char value[SUMMARY_FIGURE_SIZE];
	const char *efficiency; /* NULL: none */
	double share;
};

static void print_head_line(FILE *out, const struct head_line *line, int columns)
{
	char share[SUMMARY_FIGURE_SIZE];
	int used = 1 + LABEL_WIDTH + VALUE_WIDTH + 3 + EFFICIENCY_WIDTH + 1 + SHARE_WIDTH + 2;

	fprintf(out, " %-*s%*s", LABEL_WIDTH, line->label, VALUE_WIDTH, line->value);
	if (line->efficiency) {
		fprintf(out, "   %-*s %*s", EFFICIENCY_WIDTH, line->efficiency, SHARE_WIDTH,
		    summary_format_share(share, line->share));
		if (columns - used >= BAR_WIDTH_MIN && line->share > 0) {
			fputs("  ", out);
			text_print_bar(out, line->share, columns - used);
		}
	}
	fputc('\n', out);
}

/* Prints all digits if they fit the column. */
static void format_whole(char *value, uint64_t count)
{
	if (strlen(summary_format_exact(value, count)) > VALUE_WIDTH)
		summary_format_count(value, count);
}

/* Prints the largest team's size and, if there were more threads, how many were seen in all. */
static void format_threads(char *value, const struct summary *summary)
{
	char threads[SUMMARY_FIGURE_SIZE], seen[SUMMARY_FIGURE_SIZE];
	char both[2 * SUMMARY_FIGURE_SIZE + 8];

	format_whole(value, summary->threads);
	if (summary->locations <= summary->threads || summary->locations == SUMMARY_NOT_MEASURED)
		return;
	snprintf(both, sizeof(both), "%s (%s seen)",
	    summary_format_count(threads, summary->threads),
	    summary_format_count(seen, summary->locations));
	if (strlen(both) <= VALUE_WIDTH)
		memcpy(value, both, strlen(both) + 1);
}

/* The facts on the left are printed below each other, whatever is on the right. */
static char *put_fact(struct head_line **line, const char *label)
{
	(*line)->label = label;
	return (*line)++->value;
}

/* Fills in the tree on the right; returns how many lines it has. */
static size_t put_efficiencies(struct head_line *lines, const struct summary_figures *figures)
{
	size_t count = 0;

	const struct {
		const char *title;
		double share;
		bool shown;
	} tree[] = {
	    {"efficiency", figures->total, figures->total >= 0},
	    {"  serial part", figures->serial, figures->total >= 0},
	    {"  MPI", figures->mpi, figures->mpi >= 0},
	    {"  running", figures->running, figures->running >= 0},
	    {"  OpenMP", figures->openmp, figures->total >= 0},
	    {"    load balance", figures->balance, figures->total >= 0},
	    {"    waits, overhead", figures->waiting, figures->total >= 0},
	};

	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		if (!tree[i].shown)
			continue;
		lines[count].efficiency = tree[i].title;
		lines[count++].share = tree[i].share;
	}
	return count;
}

static void print_head(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	const struct summary_figures *figures = &printing->figures;
	struct head_line lines[HEAD_LINES_MAX] = {0}, *line = lines;
	size_t count = put_efficiencies(lines, figures);

	summary_format_time(put_fact(&line, "wall time"), summary->wall);
	format_threads(put_fact(&line, "threads"), summary);
	if (figures->serial_share >= 0)
		summary_format_share(put_fact(&line, "serial share"), figures->serial_share);
	if (figures->mpi >= 0)
		summary_format_share(put_fact(&line, "in MPI"),
		    summary_share(figures->categories[SUMMARY_MPI], figures->capacity));
	if (summary->sync != SUMMARY_NOT_MEASURED)
		summary_format_share(
		    put_fact(&line, "waiting"), summary_share(summary->sync, figures->capacity));
	format_whole(put_fact(&line, "events"), summary->events);
	format_whole(put_fact(&line, "lost events"), printing_lost(printing, summary->lost_events));
	summary_format_share(put_fact(&line, "measuring cost"),
	    summary_share(summary->event_cost, figures->capacity));
	if (summary->processors > 0) /* a trace may lack it */
		format_whole(put_fact(&line, "processors"), summary->processors);
	if (count < (size_t)(line - lines))
		count = (size_t)(line - lines);
	for (size_t i = 0; i < count; i++)
		print_head_line(out, &lines[i], printing->columns);
}

static void print_categories(FILE *out, const struct printing *printing)
{
	const struct summary_figures *figures = &printing->figures;
	char text[SUMMARY_FIGURE_SIZE];
	int used = 1 + CATEGORY_WIDTH + 1 + TIME_WIDTH + 1 + SHARE_WIDTH + 2;

	if (!summary_has_categories(figures))
		return;
	fprintf(out, "\nTHREAD TIME%s: ", printing->summary->chosen ? " of all threads" : "");
	if (figures->more_than_threads && printing->summary->processes > 1)
		fprintf(out, "sum of all threads of %" PRIu64 " processes",
		    printing->summary->processes);
	else if (figures->more_than_threads)
		fprintf(out, "sum of all threads, more than %" PRIu64 " at once",
		    printing->summary->threads);
	else
		fprintf(out, "%" PRIu64 " x %s",
		    printing->summary->threads ? printing->summary->threads : 1,
		    summary_format_time(text, printing->summary->wall));
	fprintf(out, " = %s\n", summary_format_time(text, figures->capacity));
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		double share = summary_share(figures->categories[i], figures->capacity);

		if (!summary_has_category(figures, (enum summary_category)i))
			continue;
		fprintf(out, " %-*s %*s", CATEGORY_WIDTH, summary_category_names[i].title,
		    TIME_WIDTH, summary_format_time(text, figures->categories[i]));
		fprintf(out, " %*s", SHARE_WIDTH, summary_format_share(text, share));
		if (share > 0) {
			fputs("  ", out);
			text_print_bar(out, share, printing->columns - used);
		}
		fputc('\n', out);
	}
}

size_t text_refused(FILE *out, const struct printing *printing)
{
	if (!printing->summary->usage_refused)
		return 0;
	return (size_t)text_print_wrapped(out, " ", "   ", SUMMARY_REFUSED_NOTE, printing->columns);
}

size_t text_code_notes(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t marked = 0, unnamed = 0, lines = 0;
	char sentence[TEXT_SIZE];

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		marked += summary_marks_region(region) != 0;
		unnamed += region->code != SUMMARY_INSTRUMENTED && region->begin_line <= 0;
	}
	if (marked > 0)
		lines += (size_t)text_print_wrapped(
		    out, " " SUMMARY_MARK " ", "   ", SUMMARY_MARK_NOTE, printing->columns);
	if (unnamed > 0) {
		snprintf(sentence, sizeof(sentence), SUMMARY_UNNAMED_NOTE, unnamed,
		    unnamed == 1 ? " has" : "s have");
		lines += (size_t)text_print_wrapped(out, " ", "   ", sentence, printing->columns);
	}
	return lines;
}

static void print_table(FILE *out, struct figure_table table, int columns)
{
	if (table.rows == 0)
		return;
	fputc('\n', out);
	table_print_text(out, &table, columns);
}

/* A table of which the screen may have no room for a single row. */
static void print_shown(FILE *out, struct figure_table table, int columns)
{
	if (table.text_rows > 0)
		print_table(out, table, columns);
}

/* Below the tables of samples, or in their place. */
static void print_sample_note(FILE *out, const struct summary *summary, int columns)
{
	if (summary->sample_note == NULL)
		return;
	if (summary->hot_count == 0)
		fputc('\n', out);
	text_print_wrapped(out, " ", "   ", summary->sample_note, columns);
}

/* Where threads spent processor time, and where they were blocked. */
static void print_code(FILE *out, const struct printing *printing)
{
	int columns = printing->columns;

	print_shown(out, printing_callers(printing), columns);
	print_shown(out, printing_hot(printing), columns);
	print_shown(out, printing_paths(printing), columns);
	print_shown(out, printing_serial(printing), columns);
	print_sample_note(out, printing->summary, columns);
	print_shown(out, printing_blocked(printing), columns);
}

static void print_advice(FILE *out, const struct printing *printing)
{
	fputs("\nADVICE\n", out);
	for (int i = 0; i < printing->advice.count; i++)
		text_print_wrapped(out, " - ", "   ", printing->advice.text[i], printing->columns);
	if (printing->advice.closing[0] != '\0')
		text_print_wrapped(out, " ", " ", printing->advice.closing, printing->columns);
}

size_t text_chosen(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	char text[TEXT_SIZE], time[SUMMARY_FIGURE_SIZE];
	int lines = 1;

	if (!summary->chosen)
		return 0;
	summary_format_time(time, printing->figures.chosen);
	snprintf(text, sizeof(text),
	    "The figures above are of all threads and regions. What follows is only of what was "
	    "chosen, and its shares are of %s (%s):",
	    summary->chosen_threads > 0 ? "the chosen threads' time" : "all thread time", time);
	if (out)
		fputc('\n', out);
	lines += text_print_wrapped(out, " ", " ", text, printing->columns);
	lines += text_print_wrapped(out, " ", " ", summary->chosen, printing->columns);
	return (size_t)lines;
}

static void print_title(FILE *out, const char *program, int columns)
{
	static const char title[] = " ompinst profile: ";
	int room = columns - (int)strlen(title);
	int width = text_width(program);

	fputs(title, out);
	text_print_fitted(out, program, width < room ? width : room, 1);
	fputc('\n', out);
}

static struct cell metric_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct summary_region *region = printing_region(context, row);

	if (column == 0) {
		summary_format_region(buffer, TEXT_SIZE, region);
		return (struct cell){.text = buffer};
	}
	return (struct cell){
	    .number = region->metrics ? region->metrics[column - 1] : SUMMARY_NOT_MEASURED};
}

size_t text_metrics_dropped(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t lines = 0;

	for (size_t i = 0; i < summary->dropped_count; i++) {
		char sentence[TEXT_SIZE];
		snprintf(sentence, sizeof(sentence), "%s: n/a, %s", summary->dropped[i].name,
		    summary->dropped[i].reason);
		lines += (size_t)text_print_wrapped(out, " ", "   ", sentence, printing->columns);
	}
	return lines;
}

/* Prints the regions of the table above with their metrics; then what was not measured. */
static void print_metrics(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	struct table_column columns[METRIC_COLUMNS] = {{NULL, "file:line construct", CELL_TEXT}};
	int count = 1;

	for (; (size_t)count <= summary->metric_count && count < METRIC_COLUMNS; count++) {
		const struct summary_metric *metric = &summary->metrics[count - 1];

		columns[count] = (struct table_column){.title = metric->name,
		    .kind = strcmp(metric->unit, "ns") == 0 ? CELL_TIME : CELL_COUNT,
		    .importance = METRIC_COLUMNS - count};
	}
	if (count > 1)
		print_table(out,
		    (struct figure_table){"METRICS of the regions (inclusive, sums over threads)",
			" regions", columns, (size_t)count, summary->region_count,
			printing->rows.metrics, false, metric_cell, printing},
		    printing->columns);
	if (count == 1 && summary->dropped_count > 0)
		fputc('\n', out);
	text_metrics_dropped(out, printing);
}

void summary_print_text(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	int columns = printing->columns;

	print_rule(out, columns, '=');
	print_title(out, summary->program ? summary->program : "(unknown program)", columns);
	print_rule(out, columns, '=');
	if (summary->region_count == 0) {
		text_print_wrapped(out, " ", " ",
		    summary->note
			? summary->note
			: "Nothing to show: no instrumented construct ran while measuring was on.",
		    columns);
		print_code(out, printing);
		return;
	}
	print_head(out, printing);
	print_categories(out, printing);
	text_refused(out, printing);
	text_chosen(out, printing);
	print_table(out, printing_regions(printing), columns);
	text_code_notes(out, printing);
	print_code(out, printing);
	print_metrics(out, printing);
	print_table(out, printing_locks(printing), columns);
	print_table(out, printing_tasks(printing), columns);
	print_advice(out, printing);
	if (summary->note) {
		fputc('\n', out);
		text_print_wrapped(out, " ", " ", summary->note, columns);
	}
	if (summary->trace_path)
		fprintf(out, "\ntrace: %s\n", summary->trace_path);
}
