/* SPDX-License-Identifier: BSD-3-Clause */
/* From a command line to one printed table, and the filters that many reports share. */
#include "report.h"

#include "common/caller-rows.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "streams.h"

/* *expectations is set if predictions are possible; pass NULL to do without them. */
static struct analysis *analyse(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted,
    struct expectations **expectations)
{
	bool *threads = memory_new(archive->thread_count, sizeof(threads[0]));
	bool is_whole = options->from == 0 && archive_complete_from(archive) == 0 &&
			options->to == SUMMARY_NOT_MEASURED && !options->thread && !options->rank &&
			!options->region;
	struct analysis_choice choice = *wanted;
	struct analysis *analysis;

	choice.from = options->from;
	choice.to = options->to;
	choice.min_duration = options->min_duration;
	choice.threads = options->thread || options->rank ? threads : NULL;
	if (expectations)
		*expectations = is_whole ? expectations_new(archive, &choice) : NULL;
	for (size_t i = 0; i < archive->thread_count; i++)
		threads[i] = report_takes_thread(options, archive, i);
	analysis = analysis_run(archive, &choice);
	free(threads);
	command_print_warnings(path, archive);
	return analysis;
}

struct analysis *report_analyse(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted)
{
	return analyse(archive, path, options, wanted, NULL);
}

struct analysis *report_analyse_with(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted, struct summary *summary,
    struct expectations **expectations)
{
	struct analysis *analysis = analyse(archive, path, options, wanted, expectations);

	analysis_summarize(analysis, summary);
	expectations_offer(*expectations, analysis, summary);
	return analysis;
}

static int read_with(struct report *report, const char *path, const struct options *options,
    const struct analysis_choice *wanted)
{
	*report = (struct report){.archive = command_open_threads(path, options)};
	if (!report->archive)
		return -1;
	report->analysis = report_analyse(report->archive, path, options, wanted);
	analysis_summarize(report->analysis, &report->summary);
	summary_compute(&report->summary, &report->figures);
	return 0;
}

int report_read(struct report *report, const char *path, const struct options *options)
{
	return read_with(report, path, options, &(struct analysis_choice){0});
}

void report_finish(struct report *report)
{
	if (!report->archive)
		return;
	analysis_free_summary(&report->summary);
	analysis_free(report->analysis);
	archive_close(report->archive);
}

int report_print(const struct options *options, struct table *table, int status)
{
	FILE *out;

	if (options->sort && table_sort(table, options->sort) != 0) {
		fprintf(stream_messages(), "ompreport: --sort='%s': expected one of the columns",
		    options->sort);
		for (size_t i = 0; i < table->column_count; i++)
			fprintf(stream_messages(), "%s %s", i ? "," : "", table->columns[i].key);
		fputc('\n', stream_messages());
		return 2;
	}
	if (options->taker) {
		options->taker->take(options->taker->context, table);
		return status;
	}
	out = command_open_output(options->output);
	if (!out)
		return 1;
	table_print(out, table, options->format, options->width, options->rows);
	return command_close_output(out, options->output) ? 1 : status;
}

void report_note_all(struct table *table, const struct options *options, const char *note)
{
	if (options->thread || options->rank)
		table_add_note(table, "%s", note);
}

void report_note_left_out(struct table *table, const struct archive *archive)
{
	char *left_out = archive_left_out(archive);

	if (left_out)
		table_add_note(table, "%s", left_out);
	free(left_out);
}

int report_run(const struct options *options, report_function *fill)
{
	return report_run_with(options, &(struct analysis_choice){0}, fill);
}

int report_run_with(
    const struct options *options, const struct analysis_choice *wanted, report_function *fill)
{
	struct report report;
	struct table table = {0};
	int status = 1;

	if (read_with(&report, options->path, options, wanted) == 0) {
		status = fill(&table, &report, options);
		report_note_left_out(&table, report.archive);
		status = report_print(options, &table, status);
		table_finish(&table);
	}
	report_finish(&report);
	return status;
}

/*
 * The options that select threads, ranks, regions or visits; NULL if there are none. The caller
 * frees it.
 */
static char *chosen_of(const struct options *options)
{
	const struct {
		const char *name, *value;
	} chosen[] = {{"--thread=", options->thread}, {"--rank=", options->rank},
	    {"--region=", options->region}};
	char *text = NULL, *longer;

	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
		if (!chosen[i].value)
			continue;
		longer = memory_print(
		    "%s%s%s%s", text ? text : "", text ? " " : "", chosen[i].name, chosen[i].value);
		free(text);
		text = longer;
	}
	if (options->min_duration > 0) {
		longer = memory_print("%s%s--min-duration=%" PRIu64 "ns", text ? text : "",
		    text ? " " : "", options->min_duration);
		free(text);
		text = longer;
	}
	return text;
}

static char *task_name(const struct summary_task *task)
{
	int length = summary_format_task(NULL, 0, task->file, task->begin_line);
	char *name = memory_new((size_t)length + 1, 1);

	summary_format_task(name, (size_t)length + 1, task->file, task->begin_line);
	return name;
}

static void choose_callers(struct summary *summary, const struct options *options)
{
	struct summary_caller *callers = (struct summary_caller *)summary->callers;
	size_t count = 0;

	for (size_t i = 0; i < summary->caller_count; i++) {
		char name[CALLER_REGION_SIZE];

		if (report_takes_region(options, caller_region(name, sizeof(name), &callers[i])))
			callers[count++] = callers[i];
	}
	summary->caller_count = count;
	if (options->min_duration > 0)
		summary->caller_count = 0; /* short visits are part of them */
}

void report_choose(
    struct summary *summary, const struct analysis *analysis, const struct options *options)
{
	struct summary_region *regions = (struct summary_region *)summary->regions;
	struct summary_lock *locks = (struct summary_lock *)summary->locks;
	struct summary_task *tasks = (struct summary_task *)summary->tasks;
	size_t count = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		char *name = report_region_name(&regions[i]);

		if (report_takes_region(options, name))
			regions[count++] = regions[i];
		free(name);
	}
	summary->region_count = count;
	count = 0;
	for (size_t i = 0; i < summary->lock_count; i++) {
		if (report_takes_region(options, locks[i].name))
			locks[count++] = locks[i];
	}
	summary->lock_count = count;
	count = 0;
	for (size_t i = 0; i < summary->task_count; i++) {
		char *name = task_name(&tasks[i]);

		if (report_takes_region(options, name))
			tasks[count++] = tasks[i];
		free(name);
	}
	summary->task_count = count;
	choose_callers(summary, options);
	if (options->region)
		analysis_choose_code(analysis, summary, report_takes_name, options);
	summary->chosen = chosen_of(options);
	summary->is_part |= summary->chosen != NULL;
	if (summary->chosen && summary->region_count == 0 && summary->events > 0)
		summary->note = "Nothing to show: no region that was chosen was entered and left.";
}

bool report_name_matches(const char *pattern, const char *name)
{
	return pattern[strcspn(pattern, "*?[")] ? fnmatch(pattern, name, 0) == 0
						: strstr(name, pattern) != NULL;
}

bool report_takes_region(const struct options *options, const char *name)
{
	bool takes;

	if (!options->region)
		return true;
	takes = report_name_matches(options->region, name);
	options->matches->region |= takes;
	return takes;
}

bool report_takes_name(const void *options, const char *name)
{
	return report_takes_region(options, name);
}

bool report_takes_thread(
    const struct options *options, const struct archive *archive, size_t thread)
{
	const struct archive_location *location = &archive->locations[thread];
	char number[24];

	if (options->rank && strtoul(options->rank, NULL, 10) != location->group)
		return false;
	if (options->thread) {
		snprintf(number, sizeof(number), "%zu", thread);
		if (strcmp(options->thread, number) != 0 &&
		    strcmp(options->thread, location->name) != 0 &&
		    strcmp(options->thread, location->label) != 0)
			return false;
	}
	options->matches->thread = true;
	return true;
}
