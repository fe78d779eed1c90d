/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport imbalance: constructs whose work the threads of a team share, and how unevenly, by the
 * work in their bodies: a thread that waits there is not slow. The slowest thread is the one with
 * the most work over all executions. The imbalance itself is summed up execution by execution, so
 * that threads that are slow in turns count as well. For an explicit barrier it is that of the work
 * since the previous barrier. The cause of the waits is what the busiest thread before each barrier
 * did most beyond the others.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"

/* A smaller part of all threads' time is not worth a sentence. */
#define LOSS_WORTH_TELLING 0.01

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"threads", "threads", CELL_COUNT, 1},
    {"body_min_ns", "min", CELL_TIME, 3},
    {"body_mean_ns", "avg", CELL_TIME, 5},
    {"body_max_ns", "max", CELL_TIME, 6},
    {"max_over_mean", "max/avg", CELL_FACTOR, 4},
    {"slowest", "most work in", CELL_TEXT, 2},
    {"last", NULL, CELL_TEXT, 0},
    {"last_count", NULL, CELL_COUNT, 0},
    {"barriers", NULL, CELL_COUNT, 0},
    {"came_last", "came last", CELL_TEXT, 9},
    {"behind", "busiest was in", CELL_TEXT, 8},
    {"behind_ns", NULL, CELL_TIME, 0},
    {"imbalance_ns", "imbal", CELL_TIME, 8},
    {"share", "share", CELL_SHARE, 7},
};

/* The thread with the most work in the construct's body; the first of equals. */
static const char *slowest_thread(
    const struct analysis *analysis, const struct options *options, uint32_t construct)
{
	const char *name = "?";
	uint64_t most = 0;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct visited *visited = analysis_visited(&analysis->threads[i], construct);

		if (visited && visited->work > most &&
		    report_takes_thread(options, analysis->archive, i)) {
			most = visited->work;
			name = analysis->archive->locations[i].label;
		}
	}
	return name;
}

/* The thread that arrived last at the construct's barriers, for programs and for people. */
static void put_last(struct table *table, const struct analysis *analysis, uint32_t index)
{
	const struct construct *construct = &analysis->constructs[index];
	uint64_t count;
	uint32_t last = analysis_last_to_arrive(analysis, index, &count);
	char *text = NULL;

	if (last != ARCHIVE_NO_INDEX)
		text = memory_print("%s at %llu of %llu", analysis->archive->locations[last].label,
		    (unsigned long long)count, (unsigned long long)construct->barriers_completed);
	table_put_text(table, text ? analysis->archive->locations[last].label : "");
	table_put_number(table, text ? count : SUMMARY_NOT_MEASURED);
	table_put_number(table, text ? construct->barriers_completed : SUMMARY_NOT_MEASURED);
	table_put_text(table, text ? text : "");
	free(text);
}

/* False if most of the imbalance comes from elsewhere. */
static bool tells(const struct behind *behind, uint64_t imbalance)
{
	return behind->lost >= imbalance / 2;
}

/*
 * The construct in which the busiest thread did most beyond the others, and what the team lost by
 * it.
 */
static void put_behind(
    struct table *table, const struct analysis *analysis, uint32_t index, uint64_t imbalance)
{
	const struct behind *behind = analysis_behind(analysis, index);
	char *name;

	if (behind && !tells(behind, imbalance))
		behind = NULL;
	name = behind ? analysis_construct_name(&analysis->constructs[behind->construct]) : NULL;

	table_put_text(table, name ? name : "");
	table_put_number(
	    table, behind ? analysis_nanoseconds(analysis, behind->lost) : SUMMARY_NOT_MEASURED);
	free(name);
}

static void put_construct(
    struct table *table, const struct report *report, const struct options *options, uint32_t index)
{
	const struct analysis *analysis = report->analysis;
	const struct construct *construct = &analysis->constructs[index];
	bool has_body = construct->has_body && construct->threads > 0;
	uint64_t mean = has_body ? construct->body_sum / construct->threads : 0, imbalance, ticks;
	const uint64_t body[] = {construct->body_min, mean, construct->body_max};

	analysis_imbalance(construct, &ticks);
	imbalance = analysis_nanoseconds(analysis, ticks);
	table_put_number(table, construct->threads);
	for (int i = 0; i < 3; i++)
		table_put_number(table,
		    has_body ? analysis_nanoseconds(analysis, body[i]) : SUMMARY_NOT_MEASURED);
	table_put_ratio(table, mean ? (double)construct->body_max / (double)mean : -1);
	table_put_text(table, has_body ? slowest_thread(analysis, options, index) : "");
	put_last(table, analysis, index);
	put_behind(table, analysis, index, ticks);
	table_put_number(table, imbalance);
	/* If the chosen threads are whole teams, the imbalance is theirs. */
	table_put_ratio(
	    table, summary_share(imbalance,
		       analysis->splits_teams ? report->figures.capacity : report->figures.chosen));
}

/* Adds a sentence on the worst construct whose barriers mostly wait for one and the same thread. */
static void add_sentence(
    struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	uint64_t most = 0, count, imbalance;
	uint32_t worst = NO_CONSTRUCT, last;
	char *name;

	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];

		if (!analysis_imbalance(construct, &imbalance) || imbalance <= most)
			continue;
		analysis_last_to_arrive(analysis, i, &count);
		name = analysis_construct_name(construct);
		if (count > construct->barriers_completed / 2 &&
		    report_takes_region(options, name)) {
			most = imbalance;
			worst = i;
		}
		free(name);
	}
	if (worst == NO_CONSTRUCT)
		return;
	last = analysis_last_to_arrive(analysis, worst, &count);
	name = analysis_construct_name(&analysis->constructs[worst]);
	table_add_note(table, "%s: %s came last at %llu of %llu barriers.", name,
	    analysis->archive->locations[last].label, (unsigned long long)count,
	    (unsigned long long)analysis->constructs[worst].barriers_completed);
	free(name);
}

/*
 * The barrier with the greatest loss whose waits another construct causes. A region's own code is
 * not a construct that could be named.
 */
static const struct behind *worst_behind(const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	const struct behind *worst = NULL;
	uint64_t imbalance;

	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct behind *behind = analysis_behind(analysis, i);
		char *name;

		if (!behind || behind->construct == i || (worst && behind->lost <= worst->lost) ||
		    analysis->constructs[behind->construct].kind == CONSTRUCT_KIND_PARALLEL ||
		    !analysis_imbalance(&analysis->constructs[i], &imbalance) ||
		    !tells(behind, imbalance) ||
		    summary_share(analysis_nanoseconds(analysis, behind->lost),
			report->figures.capacity) < LOSS_WORTH_TELLING)
			continue;
		name = analysis_construct_name(&analysis->constructs[i]);
		if (report_takes_region(options, name))
			worst = behind;
		free(name);
	}
	return worst;
}

static void add_sentence_behind(
    struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;
	const struct behind *behind = worst_behind(report, options);
	const struct construct *construct;
	char lost[SUMMARY_FIGURE_SIZE], most[SUMMARY_FIGURE_SIZE], mean[SUMMARY_FIGURE_SIZE];
	char *name, *barrier;

	if (!behind)
		return;
	construct = &analysis->constructs[behind->construct];
	name = analysis_construct_name(construct);
	barrier = analysis_construct_name(&analysis->constructs[behind->barrier]);
	summary_format_time(lost, analysis_nanoseconds(analysis, behind->lost));
	summary_format_time(most, analysis_nanoseconds(analysis, construct->task_max));
	summary_format_time(mean, analysis_nanoseconds(analysis,
				      construct->visits ? construct->time / construct->visits : 0));
	if (construct->kind == CONSTRUCT_KIND_TASK)
		table_add_note(table,
		    "%s: the busiest thread had executed more of %s than the others, which cost "
		    "%s of thread time; its longest task took %s, the mean one %s.",
		    barrier, name, lost, most, mean);
	else
		table_add_note(table,
		    "%s: the busiest thread had been longer in %s than the others, which cost "
		    "%s of thread time.",
		    barrier, name, lost);
	free(name);
	free(barrier);
}

/*
 * Adds a sentence on tasks that take less than ten times their creation: the ones that took most
 * time to create.
 */
static void add_sentence_small(struct table *table, const struct report *report)
{
	const struct summary_task *worst = NULL;
	char place[128], one[SUMMARY_FIGURE_SIZE], other[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < report->summary.task_count; i++) {
		const struct summary_task *task = &report->summary.tasks[i];

		if (task->created > 0 && task->executed > 0 &&
		    task->create_time / task->created >= task->execute_time / task->executed / 10 &&
		    (!worst || task->create_time > worst->create_time))
			worst = task;
	}
	if (!worst)
		return;
	summary_format_task(place, sizeof(place), worst->file, worst->begin_line);
	table_add_note(table, "%s: tasks are small: one runs %s on average and takes %s to create.",
	    place, summary_format_time(one, worst->execute_time / worst->executed),
	    summary_format_time(other, worst->create_time / worst->created));
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct analysis *analysis = report->analysis;

	table_init(table, "imbalance",
	    "IMBALANCE (min avg max: work in the body; imbal: what even work would save)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];
		uint64_t imbalance;
		char *name;

		if (!analysis_imbalance(construct, &imbalance))
			continue;
		name = analysis_construct_name(construct);
		if (report_takes_region(options, name)) {
			table_put_text(table, name);
			put_construct(table, report, options, i);
		}
		free(name);
	}
	table_sort(table, "imbalance_ns");
	add_sentence(table, report, options);
	add_sentence_behind(table, report, options);
	add_sentence_small(table, report);
	if (analysis->splits_teams)
		table_add_note(table,
		    "min, avg, max and the thread with most work are of the chosen threads; came last, "
		    "busiest was in, imbal and share are of all threads of their teams, and so are "
		    "sentences about these.");
	if (table_rows(table) == 0)
		table_add_note(table, "No construct whose work a team shares was executed%s.",
		    options->region ? " of those that --region names" : "");
	return 0;
}

int command_imbalance(const struct options *options)
{
	return report_run_with(options, &(struct analysis_choice){.has_behind = true}, fill);
}
