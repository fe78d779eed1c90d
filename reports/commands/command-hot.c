/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport hot: the lines, functions or call paths in which threads spent most processor time, by
 * samples, and the construct around most of the samples.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/hot-rows.h"
#include "sampled-code.h"
#include "report.h"

/* From this share of the samples on, a note says how to get the names that are missing. */
#define UNNAMED_WORTH_TELLING 0.05

#define COUNTER(id, name, key) {key, name, CELL_COUNT, 6},

/* The last columns of lines, functions and paths. */
#define END_COLUMNS                                                                                \
	{"wait_samples", NULL, CELL_COUNT, 0}, {"wait_share", "waiting", CELL_SHARE, 6},           \
	    {"fault_samples", NULL, CELL_COUNT, 0},                                                \
	    {"fault_share", HOT_FAULTS_TITLE, CELL_SHARE, 3},                                      \
	    SAMPLE_COUNTERS(COUNTER){HOT_PER_CYCLE_KEY, HOT_PER_CYCLE_TITLE, CELL_FACTOR, 6},      \
	    {"construct", "mostly in", CELL_TEXT, 7},                                              \
	{                                                                                          \
		"construct_share", NULL, CELL_SHARE, 0                                             \
	}

static const struct table_column line_columns[] = {
    {"place", "file:line function", CELL_TEXT, 0},
    {"function", NULL, CELL_TEXT, 0},
    {"file", NULL, CELL_TEXT, 0},
    {"line", NULL, CELL_COUNT, 0},
    {"samples", "samples", CELL_COUNT, 4},
    {"time_ns", "time", CELL_TIME, 5},
    {"share", "share", CELL_SHARE, 9},
    END_COLUMNS,
};

static const struct table_column function_columns[] = {
    {"place", "function", CELL_TEXT, 0},
    {"function", NULL, CELL_TEXT, 0},
    {"file", NULL, CELL_TEXT, 0},
    {"samples", "samples", CELL_COUNT, 4},
    {"time_ns", "time", CELL_TIME, 5},
    {"share", "self", CELL_SHARE, 9},
    {"inclusive_samples", NULL, CELL_COUNT, 0},
    {"inclusive_share", "with calls", CELL_SHARE, 8},
    END_COLUMNS,
};

static const struct table_column path_columns[] = {
    {"path", "call path", CELL_TEXT, 0},
    {"samples", "samples", CELL_COUNT, 4},
    {"time_ns", "time", CELL_TIME, 5},
    {"share", "share", CELL_SHARE, 9},
    END_COLUMNS,
};

#define COLUMNS(array) array, sizeof(array) / sizeof((array)[0])

static const struct {
	const char *title;
	const struct table_column *columns;
	size_t count;
} tables[] = {
    [HOT_LINES] = {"HOT LINES by processor time (waiting: of that in OpenMP's waits)",
	COLUMNS(line_columns)},
    [HOT_FUNCTIONS] = {"HOT FUNCTIONS by processor time (with calls: of other functions)",
	COLUMNS(function_columns)},
    [HOT_PATHS] = {"HOT PATHS by processor time (waiting: of that in OpenMP's waits)",
	COLUMNS(path_columns)},
};

static uint64_t time_of(uint64_t samples, double each)
{
	return each > 0 ? (uint64_t)((double)samples * each + 0.5) : SUMMARY_NOT_MEASURED;
}

static void put_row(struct table *table, const struct report *report, const struct hot_code *hot,
    const struct hot_row *row, enum hot_kind kind)
{
	uint64_t of_place = row->samples > 0 ? row->samples : row->inclusive;
	char *name = hot_row_name(row, kind),
	     *place = analysis_place_name(report->analysis, row->place);

	table_put_text(table, name);
	if (kind != HOT_PATHS) {
		table_put_text(table, row->function);
		table_put_text(table, row->file);
	}
	if (kind == HOT_LINES)
		table_put_number(table, (uint64_t)row->line);
	table_put_number(table, row->samples);
	table_put_number(table, time_of(row->samples, hot_sample_time(report->analysis)));
	table_put_ratio(table, summary_share(row->samples, hot->chosen));
	if (kind == HOT_FUNCTIONS) {
		table_put_number(table, row->inclusive);
		table_put_ratio(table, summary_share(row->inclusive, hot->chosen));
	}
	table_put_number(table, row->waits);
	table_put_ratio(table, summary_share(row->waits, row->samples));
	table_put_number(table, row->faults);
	table_put_ratio(table, summary_share(row->faults, row->samples));
	for (int counter = 0; counter < SAMPLE_COUNTER_COUNT; counter++)
		table_put_number(table, row->counted[counter]);
	table_put_ratio(table, hot_per_cycle(row->counted));
	table_put_text(table, place);
	table_put_ratio(table, summary_share(row->place_samples, of_place));
	free(name);
	free(place);
}

/* Says why there are no samples, and how to get them. */
static void note_none(struct table *table, const struct report *report)
{
	const char *creator = report->archive->creator ? report->archive->creator : "";

	if (report->analysis->kinds[EVENT_SAMPLE] > 0)
		table_add_note(table, "No sample was taken in what the options choose.");
	else if (strncmp(creator, "ompinst", strlen("ompinst")) == 0)
		table_add_note(table,
		    "The archive has no samples: the run took none (POMP_SAMPLING=off), or it was "
		    "too short for one. POMP_SAMPLING=RATE takes RATE samples in a second of each "
		    "thread's processor time.");
	else
		table_add_note(table,
		    "The archive has no samples of calling contexts. Score-P writes them with "
		    "SCOREP_ENABLE_UNWINDING=true and SCOREP_SAMPLING_EVENTS, ompinst by default "
		    "(POMP_SAMPLING).");
}

static void note_unnamed(struct table *table, const struct report *report,
    const struct hot_code *hot, enum hot_kind kind)
{
	const struct archive *archive = report->archive;
	const struct archive_context *context = &archive->contexts[hot->unnamed_context];
	const char *function =
	    context->region == ARCHIVE_NO_INDEX ? "" : archive->regions[context->region].name;
	double share = summary_share(hot->unnamed, hot->samples);
	char text[SUMMARY_FIGURE_SIZE];

	if (share < UNNAMED_WORTH_TELLING)
		return;
	table_add_note(table,
	    "%s of these samples have no %s, most often in %s%s%s: compile it with -g, or install its "
	    "debug information, for more.",
	    summary_format_share(text, share), kind == HOT_LINES ? "line" : "function's name",
	    function, function[0] ? " of " : "", summary_base_name(context->file));
}

/* Of the whole run; of a part nothing says how many there are. */
static void note_lost(struct table *table, const struct report *report,
    const struct options *options, const struct hot_code *hot)
{
	uint64_t all = report->analysis->kinds[EVENT_SAMPLE];
	bool is_part = options->thread || options->rank || options->from > 0 ||
		       options->to != SUMMARY_NOT_MEASURED;

	if (!is_part && all > hot->chosen)
		table_add_note(table,
		    "%" PRIu64
		    " further samples have no place in the code: the archive does not define "
		    "their calling contexts.",
		    all - hot->chosen);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	enum hot_kind kind = options->hot == HOT_NONE ? HOT_LINES : options->hot;
	struct hot_code hot = hot_code_collect(report->analysis, kind, report_takes_name, options);

	table_init(table, "hot", tables[kind].title, tables[kind].columns, tables[kind].count);
	table_add_number(table, "samples", "samples", CELL_COUNT, hot.chosen);
	table_add_number(table, "time_ns", "processor time", CELL_TIME,
	    time_of(hot.chosen, hot_sample_time(report->analysis)));
	table_add_ratio(table, "wait_share", "in OpenMP's waits", CELL_SHARE,
	    summary_share(hot.waits, hot.samples));
	table_add_ratio(table, "fault_share",
	    hot_faults_matter(hot.faults, hot.samples) ? "in page faults" : NULL, CELL_SHARE,
	    summary_share(hot.faults, hot.samples));
	const struct hot_columns chosen = hot_choose_columns(table->columns, table->column_count,
	    report->archive->counters, hot_faults_matter(hot.faults, hot.samples));
	table->left_out = chosen.left_out;
	table->unmeasured = chosen.unmeasured;
	for (size_t i = 0; i < hot.count; i++)
		put_row(table, report, &hot, &hot.rows[i], kind);
	if (hot.samples == 0)
		note_none(table, report);
	else
		note_unnamed(table, report, &hot, kind);
	note_lost(table, report, options, &hot);
	hot_code_finish(&hot);
	return 0;
}

int command_hot(const struct options *options)
{
	return report_run(options, fill);
}
