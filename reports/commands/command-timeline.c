/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport timeline: what every thread did, as wide as the terminal. All columns are equally long,
 * and each shows what took most of it; JSON and CSV contain all times of each column.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/terminal-text.h"
#include "memory.h"
#include "report.h"

#define NAME_WIDTH_MAX 24
#define SCREEN_THREADS 40
#define MARGIN         1 /* before the name, and on both sides of the columns */

static const struct mark {
	char letter;
	const char *meaning;
} marks[ACTIVITIES] = {
    [ACTIVITY_NONE] = {' ', "idle"},
    [ACTIVITY_SERIAL] = {'-', "serial part"},
    [ACTIVITY_WORK] = {'#', "work"},
    [ACTIVITY_TASK] = {'t', "task"},
    [ACTIVITY_BARRIER] = {'.', "barrier"},
    [ACTIVITY_LOCK] = {'L', "lock"},
    [ACTIVITY_TASK_WAIT] = {'w', "task wait"},
    [ACTIVITY_TEAM] = {'+', "team start, end"},
    [ACTIVITY_MPI] = {'M', "MPI"},
    [ACTIVITY_DELAYED] = {'p', "waiting for a processor"},
    [ACTIVITY_BLOCKED] = {'b', "blocked"},
};

static const struct table_column columns[] = {
    {"thread", "thread", CELL_TEXT, 0},
    {"process", NULL, CELL_TEXT, 0},
    {"begin_ns", "begin", CELL_TIME, 1},
    {"end_ns", "end", CELL_TIME, 1},
    {"serial_ns", "serial", CELL_TIME, 1},
    {"work_ns", "work", CELL_TIME, 1},
    {"tasks_ns", "tasks", CELL_TIME, 1},
    {"barrier_ns", "barrier", CELL_TIME, 1},
    {"lock_ns", "locks", CELL_TIME, 1},
    {"task_wait_ns", "taskwait", CELL_TIME, 1},
    {"team_ns", "team", CELL_TIME, 1},
    {"mpi_ns", "MPI", CELL_TIME, 1},
    {"delayed_ns", "no proc.", CELL_TIME, 1},
    {"blocked_ns", "blocked", CELL_TIME, 1},
    {"region", "mostly in", CELL_TEXT, 1},
};

/* The begin of the timeline's step, in ns since the clock's start. */
static uint64_t begin_of(const struct analysis *analysis, size_t bin)
{
	const struct timeline *timeline = analysis->timeline;

	uint64_t start =
	    analysis_nanoseconds(analysis, timeline->start - analysis->archive->clock_start);
	uint64_t length = analysis_nanoseconds(analysis, timeline->length);

	return start + (uint64_t)((unsigned __int128)length * bin / timeline->bins);
}

/*
 * The constructs that --region selects. Time outside of all constructs is selected only without the
 * option.
 */
struct taken {
	bool *constructs, outside;
};

static struct taken find_taken(const struct analysis *analysis, const struct options *options)
{
	struct taken taken = {
	    .constructs = memory_new(analysis->construct_count, sizeof(taken.constructs[0])),
	    .outside = !options->region,
	};

	for (size_t i = 0; i < analysis->construct_count; i++) {
		char *name = analysis_construct_name(&analysis->constructs[i]);

		taken.constructs[i] = report_takes_region(options, name);
		free(name);
	}
	return taken;
}

static bool takes_bin(const struct taken *taken, const struct timeline_bin *bin)
{
	return bin->construct == NO_CONSTRUCT ? taken->outside : taken->constructs[bin->construct];
}

/* What took most of the step, including idle time. */
static char letter_of(
    const struct timeline *timeline, const struct timeline_bin *bin, const struct taken *taken)
{
	enum activity main = timeline_main_activity(bin);
	double known = 0;

	if (!takes_bin(taken, bin))
		return marks[ACTIVITY_NONE].letter;
	for (int i = ACTIVITY_NONE + 1; i < ACTIVITIES; i++)
		known += (double)bin->ticks[i];
	if (timeline->bin_ticks - known > (double)bin->ticks[main])
		main = ACTIVITY_NONE;
	return marks[main].letter;
}

static void print_axis(FILE *out, const struct analysis *analysis, int name_width)
{
	const struct timeline *timeline = analysis->timeline;
	char from[SUMMARY_FIGURE_SIZE], to[SUMMARY_FIGURE_SIZE];
	int gap = (int)timeline->bins;

	summary_format_time(from, begin_of(analysis, 0));
	summary_format_time(to, begin_of(analysis, timeline->bins));
	gap -= (int)(strlen(from) + strlen(to));
	fprintf(out, "%*s%s%*s%s\n", name_width + 3 * MARGIN, "", from, gap, "", to);
}

static void print_legend(FILE *out, const struct analysis *analysis, int width)
{
	char legend[256];
	size_t used = 0;

	for (int i = ACTIVITY_NONE + 1; i < ACTIVITIES; i++) {
		if (i != ACTIVITY_MPI || mpi_was_called(analysis->mpi))
			used += (size_t)snprintf(legend + used, sizeof(legend) - used, "%s%c %s",
			    used ? ", " : "", marks[i].letter, marks[i].meaning);
	}
	text_print_wrapped(out, " ", " ", legend, width);
}

/* Printed before the first thread of each process, if there are several. */
static void print_process(FILE *out, const struct archive *archive, uint32_t group, int width)
{
	char *name = archive_process_name(archive, group);
	int needed = text_width(name), most = width - MARGIN;

	fputc(' ', out);
	text_print_fitted(out, name, needed < most ? needed : most, 1);
	fputc('\n', out);
	free(name);
}

static void print_text(FILE *out, const struct analysis *analysis, const struct options *options,
    const struct taken *taken, int name_width)
{
	const struct timeline *timeline = analysis->timeline;
	const struct archive_location *locations = analysis->archive->locations;
	const struct archive_location *last = NULL;
	size_t most = options->rows == SUMMARY_ROWS_SCREEN ? SCREEN_THREADS : options->rows;
	size_t printed = 0, left = 0;

	print_axis(out, analysis, name_width);
	for (size_t i = 0; i < timeline->threads; i++) {
		if (!analysis->threads[i].seen ||
		    !report_takes_thread(options, analysis->archive, i))
			continue;
		if (most > 0 && printed == most) {
			left++;
			continue;
		}
		if (analysis->archive->process_count > 1 &&
		    (!last || locations[i].group != last->group))
			print_process(out, analysis->archive, locations[i].group, options->width);
		last = &locations[i];
		printed++;
		fputc(' ', out);
		text_print_fitted(out, locations[i].name, name_width, 0);
		fputs(" |", out);
		for (size_t bin = 0; bin < timeline->bins; bin++)
			fputc(letter_of(timeline, timeline_bin(timeline, i, bin), taken), out);
		fputs("|\n", out);
	}
	if (left > 0)
		fprintf(out, " ... and %zu more threads\n", left);
	if (printed == 0)
		fputs(" No thread to show.\n", out);
	fputc('\n', out);
	print_legend(out, analysis, options->width);
}

static void put_step(
    struct table *table, const struct analysis *analysis, size_t thread, size_t bin)
{
	static const enum activity order[] = {ACTIVITY_SERIAL, ACTIVITY_WORK, ACTIVITY_TASK,
	    ACTIVITY_BARRIER, ACTIVITY_LOCK, ACTIVITY_TASK_WAIT, ACTIVITY_TEAM, ACTIVITY_MPI,
	    ACTIVITY_DELAYED, ACTIVITY_BLOCKED};
	const struct timeline_bin *cell = timeline_bin(analysis->timeline, thread, bin);
	double nanoseconds = 1e9 / (double)analysis->archive->ticks_per_second;
	char *region = cell->lead > 0 && cell->construct != NO_CONSTRUCT
			   ? analysis_construct_name(&analysis->constructs[cell->construct])
			   : NULL;
	char *process =
	    archive_process_name(analysis->archive, analysis->archive->locations[thread].group);

	table_put_text(table, analysis->archive->locations[thread].name);
	table_put_text(table, process);
	table_put_number(table, begin_of(analysis, bin));
	table_put_number(table, begin_of(analysis, bin + 1));
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		table_put_number(
		    table, (uint64_t)((double)cell->ticks[order[i]] * nanoseconds + 0.5));
	table_put_text(table, region);
	free(region);
	free(process);
}

static int print_table(
    const struct analysis *analysis, const struct options *options, const struct taken *taken)
{
	struct table table;
	int status;

	table_init(&table, "timeline", "TIMELINE", columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < analysis->timeline->threads; i++) {
		if (!analysis->threads[i].seen ||
		    !report_takes_thread(options, analysis->archive, i))
			continue;
		for (size_t bin = 0; bin < analysis->timeline->bins; bin++) {
			if (takes_bin(taken, timeline_bin(analysis->timeline, i, bin)))
				put_step(&table, analysis, i, bin);
		}
	}
	report_note_left_out(&table, analysis->archive);
	status = report_print(options, &table, 0);
	table_finish(&table);
	return status;
}

/* The longest name that is shown; names get at most a third of the line. */
static int width_of_names(const struct archive *archive)
{
	int width = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		int needed = text_width(archive->locations[i].name);

		width = needed > width ? needed : width;
	}
	return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

static void print_left_out(FILE *out, const struct archive *archive, int width)
{
	char *left_out = archive_left_out(archive);

	if (left_out)
		text_print_wrapped(out, " ", " ", left_out, width);
	free(left_out);
}

int command_timeline(const struct options *options)
{
	struct archive *archive = command_open_threads(options->path, options);
	struct analysis *analysis;
	struct taken taken;
	int names, status = 1;
	FILE *out;

	if (!archive)
		return 1;
	names = width_of_names(archive);
	analysis = report_analyse(archive, options->path, options,
	    &(struct analysis_choice){
		.timeline.bins = (size_t)(options->width - names - 2 - 2 * MARGIN)});
	taken = find_taken(analysis, options);
	if (options->taker || options->format != SUMMARY_TEXT) {
		status = print_table(analysis, options, &taken);
	} else {
		out = command_open_output(options->output);
		if (out) {
			print_text(out, analysis, options, &taken, names);
			print_left_out(out, archive, options->width);
			status = command_close_output(out, options->output) ? 1 : 0;
		}
	}
	free(taken.constructs);
	analysis_free(analysis);
	archive_close(archive);
	return status;
}
