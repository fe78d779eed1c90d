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
#include "common/text-table.h"

#define LABEL_WIDTH      14
#define VALUE_WIDTH      12
#define EFFICIENCY_WIDTH 20
#define SHARE_WIDTH      6
#define CATEGORY_WIDTH   28
#define TIME_WIDTH       7
#define BAR_WIDTH_MIN    8
#define HEAD_LINES_MAX   9

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

static void print_rest(FILE *out, size_t rows, size_t count, const char *what)
{
	if (rows < count)
		fprintf(out, " ... and %zu more %s\n", count - rows, what);
}

/* Writes to a cell; the table cuts cells with names. */
#define CELL(format, ...) snprintf(text, TEXT_CELL_SIZE, format, __VA_ARGS__)

static uint64_t quotient(uint64_t dividend, uint64_t divisor)
{
	return dividend == SUMMARY_NOT_MEASURED || divisor == SUMMARY_NOT_MEASURED || divisor == 0
		   ? SUMMARY_NOT_MEASURED
		   : dividend / divisor;
}

enum region_column {
	REGION_NAME,
	REGION_CALLS,
	REGION_TIME,
	REGION_SHARE,
	REGION_MEAN,
	REGION_BODY_MIN,
	REGION_BODY_MEAN,
	REGION_BODY_MAX,
	REGION_IMBALANCE,
	REGION_WAIT,
	REGION_COLUMNS
};

static const struct text_column region_columns[REGION_COLUMNS] = {
    [REGION_NAME] = {"file:line construct", 0},
    [REGION_CALLS] = {"calls", 8},
    [REGION_TIME] = {"time", 9},
    [REGION_SHARE] = {"share", 3},
    [REGION_MEAN] = {"mean", 2},
    [REGION_BODY_MIN] = {"min", 5},
    [REGION_BODY_MEAN] = {"avg", 4},
    [REGION_BODY_MAX] = {"max", 6},
    [REGION_IMBALANCE] = {"imbal", 7},
    [REGION_WAIT] = {"wait", 10},
};

static void region_cell(const void *context, size_t row, int column, char *text)
{
	const struct printing *printing = context;
	const struct summary_region *region = printing_region(printing, row);

	switch ((enum region_column)column) {
	case REGION_NAME:
		summary_format_region(text, TEXT_CELL_SIZE, region);
		break;
	case REGION_CALLS:
		summary_format_count(text, region->visits);
		break;
	case REGION_TIME:
		summary_format_time(text, region->time);
		break;
	case REGION_SHARE:
		summary_format_share(text, summary_share(region->time, printing->figures.chosen));
		break;
	case REGION_MEAN:
		summary_format_time(text, quotient(region->time, region->visits));
		break;
	case REGION_BODY_MIN:
		summary_format_time(text, region->body_min);
		break;
	case REGION_BODY_MEAN:
		summary_format_time(text, quotient(region->body_sum, region->threads));
		break;
	case REGION_BODY_MAX:
		summary_format_time(text, region->body_max);
		break;
	case REGION_IMBALANCE:
		summary_format_time(text, region->imbalance);
		break;
	case REGION_WAIT:
		summary_format_time(text, summary_add(region->barrier_wait, region->enter_wait));
		break;
	case REGION_COLUMNS:
		break;
	}
}

size_t text_code_notes(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t marked = 0, unnamed = 0, lines = 0;
	char sentence[TEXT_CELL_SIZE];

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

static void print_regions(FILE *out, const struct printing *printing)
{
	size_t count = printing->summary->region_count;
	struct text_table table = {
	    region_columns, REGION_COLUMNS, printing->rows.regions, 0, region_cell, printing};

	if (count == 0)
		return;
	fputs("\nREGIONS by potential gain (min avg max: work, per thread)\n", out);
	text_print_table(out, &table, printing->columns);
	print_rest(out, printing->rows.regions, count, "regions");
	text_code_notes(out, printing);
}

static const struct text_column lock_columns[] = {
    {"", 0},
    {"acquired", 5},
    {"contended", 4},
    {"wait", 6},
    {"hold", 3},
};

static void lock_cell(const void *context, size_t row, int column, char *text)
{
	const struct summary_lock *lock = printing_lock(context, row);

	switch (column) {
	case 0:
		CELL("%s", lock->name ? lock->name : "?");
		break;
	case 1:
		summary_format_count(text, lock->acquisitions);
		break;
	case 2:
		summary_format_count(text, lock->contended);
		break;
	case 3:
		summary_format_time(text, lock->wait);
		break;
	default:
		summary_format_time(text, lock->hold);
	}
}

static void print_locks(FILE *out, const struct printing *printing)
{
	size_t count = printing->summary->lock_count;
	struct text_table table = {lock_columns, 5, printing->rows.locks, 1, lock_cell, printing};

	if (count == 0)
		return;
	fputs("\nLOCKS AND CRITICALS by wait\n", out);
	text_print_table(out, &table, printing->columns);
	print_rest(out, printing->rows.locks, count, "locks");
}

static const struct text_column task_columns[] = {
    {"", 0},
    {"created", 5},
    {"executed", 3},
    {"undeferred", 1},
    {"creating", 4},
    {"executing", 6},
    {"mean", 2},
};

static void task_cell(const void *context, size_t row, int column, char *text)
{
	const struct summary_task *task = printing_task(context, row);

	switch (column) {
	case 0:
		summary_format_task(text, TEXT_CELL_SIZE, task->file, task->begin_line);
		break;
	case 1:
		summary_format_count(text, task->created);
		break;
	case 2:
		summary_format_count(text, task->executed);
		break;
	case 3:
		summary_format_count(text, task->undeferred);
		break;
	case 4:
		summary_format_time(text, task->create_time);
		break;
	case 5:
		summary_format_time(text, task->execute_time);
		break;
	default:
		summary_format_time(text, quotient(task->execute_time, task->executed));
	}
}

static void print_tasks(FILE *out, const struct printing *printing)
{
	size_t count = printing->summary->task_count;
	struct text_table table = {task_columns, 7, printing->rows.tasks, 0, task_cell, printing};

	if (count == 0)
		return;
	fputs("\nTASKS by time\n", out);
	text_print_table(out, &table, printing->columns);
	print_rest(out, printing->rows.tasks, count, "task constructs");
}

static void print_advice(FILE *out, const struct printing *printing)
{
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int count = summary_advise(printing->summary, advice);

	fputs("\nADVICE\n", out);
	for (int i = 0; i < count; i++)
		text_print_wrapped(out, " - ", "   ", advice[i], printing->columns);
}

size_t text_chosen(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	char text[TEXT_CELL_SIZE], time[SUMMARY_FIGURE_SIZE];
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

static void metric_cell(const void *context, size_t row, int column, char *text)
{
	const struct printing *printing = context;
	const struct summary_region *region = printing_region(printing, row);

	if (column == 0)
		summary_format_region(text, TEXT_CELL_SIZE, region);
	else if (region->metrics == NULL)
		memcpy(text, "n/a", sizeof("n/a"));
	else if (strcmp(printing->summary->metrics[column - 1].unit, "ns") == 0)
		summary_format_time(text, region->metrics[column - 1]);
	else
		summary_format_count(text, region->metrics[column - 1]);
}

size_t text_metrics_dropped(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t lines = 0;

	for (size_t i = 0; i < summary->dropped_count; i++) {
		char sentence[TEXT_CELL_SIZE];
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
	struct text_column columns[TEXT_COLUMNS_MAX] = {{"file:line construct", 0}};
	int count = 1;

	for (; (size_t)count <= summary->metric_count && count < TEXT_COLUMNS_MAX; count++)
		columns[count] = (struct text_column){
		    summary->metrics[count - 1].name, TEXT_COLUMNS_MAX - count};
	struct text_table table = {
	    columns, count, printing->rows.metrics, 0, metric_cell, printing};
	if (count > 1) {
		fputs("\nMETRICS of the regions (inclusive, sums over threads)\n", out);
		text_print_table(out, &table, printing->columns);
		print_rest(out, printing->rows.metrics, summary->region_count, "regions");
	}
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
		return;
	}
	print_head(out, printing);
	print_categories(out, printing);
	text_chosen(out, printing);
	print_regions(out, printing);
	print_metrics(out, printing);
	print_locks(out, printing);
	print_tasks(out, printing);
	print_advice(out, printing);
	if (summary->note) {
		fputc('\n', out);
		text_print_wrapped(out, " ", " ", summary->note, columns);
	}
	if (summary->trace_path)
		fprintf(out, "\ntrace: %s\n", summary->trace_path);
}
