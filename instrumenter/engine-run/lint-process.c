/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the checks in a child process. The record file contains for each finding its check, file,
 * line, column and message, the note's file, line, column and text, and the number of its changes:
 * of each its kind, place, whether at a directive, what is there, and its text.
 */
#include "lint-process.h"
#include "engine-child.h"
#include "shared/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the child works on. */
struct lint_work {
	const struct inst_input *input;
	lint_set checks;
	const char *record_path;
};

static void write_place(FILE *file, const struct lint_place *place)
{
	record_put(file, place->file);
	fprintf(file, "%d%c%d%c", place->line, '\0', place->column, '\0');
}

static void write_fix(FILE *file, const struct lint_fix *fix)
{
	fprintf(file, "%d%c%d%c", (int)fix->change, '\0', fix->directive, '\0');
	write_place(file, &fix->place);
	record_put(file, fix->at);
	record_put(file, fix->text);
}

static int write_findings(const char *path, const struct lint_result *result)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return -1;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct lint_finding *finding = &result->findings[i];
		fprintf(file, "%d%c", (int)finding->check, '\0');
		write_place(file, &finding->place);
		record_put(file, finding->message);
		write_place(file, &finding->note_place);
		record_put(file, finding->note);
		fprintf(file, "%zu%c", finding->fix_count, '\0');
		for (size_t j = 0; j < finding->fix_count; j++)
			write_fix(file, &finding->fixes[j]);
	}
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed ? -1 : 0;
}

static enum child_outcome lint_in_child(
    const struct inst_module *engine, void *context, char **error)
{
	const struct lint_work *work = context;
	struct lint_result result;

	if (engine->lint(work->input, work->checks, &result, error) != 0)
		return CHILD_ENGINE_ERROR;
	if (write_findings(work->record_path, &result) != 0)
		return CHILD_WRITE_ERROR;
	engine->lint_free(&result);
	return CHILD_DONE;
}

static struct lint_place read_place(struct record_fields *fields)
{
	struct lint_place place = {.file = record_take_text(fields)};

	place.line = (int)record_take_number(fields);
	place.column = (int)record_take_number(fields);
	return place;
}

/* The changes of one finding; false if memory ran out. */
static bool read_fixes(struct record_fields *fields, struct lint_finding *finding)
{
	struct lint_fix *fixes = NULL;
	size_t capacity = 0;

	for (size_t count = record_take_number(fields); count > 0 && !fields->failed; count--) {
		struct lint_fix fix = {.change = (enum lint_change)record_take_number(fields)};
		fix.directive = record_take_number(fields) != 0;
		fix.place = read_place(fields);
		fix.at = record_take_text(fields);
		fix.text = record_take_text(fields);
		if (!ARRAY_PUSH(fixes, finding->fix_count, capacity, fix)) {
			free(fixes);
			return false;
		}
	}
	finding->fixes = fixes;
	return true;
}

static int read_findings(struct lint_report *report)
{
	struct record_fields fields = {
	    report->records.bytes, report->records.bytes + report->records.length, false};

	while (!fields.failed && fields.next < fields.end) {
		struct lint_finding finding = {
		    .check = (enum lint_check)record_take_number(&fields)};
		finding.place = read_place(&fields);
		finding.message = record_take_text(&fields);
		finding.note_place = read_place(&fields);
		finding.note = record_take_text(&fields);
		if (!read_fixes(&fields, &finding))
			return -1;
		if (!ARRAY_PUSH(report->findings, report->count, report->capacity, finding))
			return -1;
	}
	return fields.failed ? -1 : 0;
}

int lint_process_run(struct process_watch *watch, const struct inst_input *input, lint_set checks,
    const char *record_path, struct lint_report *report, char **error)
{
	struct lint_work work = {input, checks, record_path};

	*report = (struct lint_report){0};
	if (engine_child_run(
		watch, lint_in_child, &work, false, record_path, &report->records, error) != 0)
		return -1;
	if (read_findings(report) != 0) {
		*error = strdup("the list of findings is incomplete");
		lint_report_finish(report);
		return -1;
	}
	return 0;
}

void lint_report_finish(struct lint_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		free((void *)report->findings[i].fixes);
	free(report->findings);
	text_file_finish(&report->records);
	*report = (struct lint_report){0};
}
