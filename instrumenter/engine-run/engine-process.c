/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the engine in a child process. The child writes the edited text to one file and the list of
 * constructs to another; both are used only if it exits with 0.
 *
 * The record file contains the number of edits and whether the engine wrote all of the text, or its
 * error. Then follow for each construct status, line, column, directive, function (empty if none),
 * file, reason and number of parts, then the five texts of each part. Each field ends with a NUL
 * byte. Parent and child are the same program, so the format needs no version and no escapes.
 */
#include "engine-process.h"
#include "engine-child.h"
#include "shared/array.h"
#include "shared/debug-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The files that the engine has read, the latest first, because it is the most likely to be read
 * again.
 */
struct opened_file {
	char *name;
	struct text_file file;
	struct opened_file *next;
};

/* Implements inst_input's read_file. */
static const char *read_for_engine(void *context, const char *name, size_t *length)
{
	struct opened_file **first = context, *opened = *first;

	while (opened != NULL && strcmp(opened->name, name) != 0)
		opened = opened->next;
	if (opened == NULL) {
		opened = calloc(1, sizeof *opened);
		if (opened == NULL)
			return NULL;
		opened->name = strdup(name);
		if (opened->name == NULL) {
			free(opened);
			return NULL;
		}
		/* A file that cannot be read counts as an empty one. */
		text_file_read(name, &opened->file);
		opened->next = *first;
		*first = opened;
	}
	*length = opened->file.length;
	return opened->file.bytes;
}

static void close_files(struct opened_file *opened)
{
	while (opened != NULL) {
		struct opened_file *next = opened->next;
		text_file_finish(&opened->file);
		free(opened->name);
		free(opened);
		opened = next;
	}
}

static void write_construct(FILE *file, const struct inst_construct *construct)
{
	fprintf(file, "%d%c%d%c%d%c", (int)construct->status, '\0', construct->line, '\0',
	    construct->column, '\0');
	record_put(file, construct->directive);
	record_put(file, construct->function ? construct->function : "");
	record_put(file, construct->file);
	record_put(file, construct->reason ? construct->reason : "");
	fprintf(file, "%zu%c", construct->part_count, '\0');
	for (size_t i = 0; i < construct->part_count; i++) {
		const struct inst_part *part = &construct->parts[i];
		record_put(file, part->directive);
		record_put(file, part->calls);
		record_put(file, part->wait);
		record_put(file, part->clauses);
		record_put(file, part->schedule);
	}
}

static int write_records(const char *path, const struct inst_result *result)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return -1;
	fprintf(file, "%zu%c%d%c", result->edit_count, '\0', result->written, '\0');
	for (size_t i = 0; i < result->construct_count; i++)
		write_construct(file, &result->constructs[i]);
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed ? -1 : 0;
}

/* What the child works on. */
struct rewrite {
	const struct inst_input *input;
	const struct inst_options *options;
	const char *text_path, *record_path;
};

static enum child_outcome rewrite_in_child(
    const struct inst_module *engine, void *context, char **error)
{
	const struct rewrite *rewrite = context;
	struct inst_input with_files = *rewrite->input;
	struct opened_file *opened = NULL;
	struct inst_result result = {0};

	with_files.read_file = read_for_engine;
	with_files.read_file_context = &opened;
	int failed = engine->rewrite(&with_files, rewrite->options, &result, error);
	close_files(opened);
	if (failed != 0)
		return CHILD_ENGINE_ERROR;
	if (text_file_write(rewrite->text_path, result.text, result.length) != 0 ||
	    write_records(rewrite->record_path, &result) != 0)
		return CHILD_WRITE_ERROR;
	engine->result_free(&result);
	return CHILD_DONE;
}

static int read_construct(struct record_fields *fields, struct inst_construct *construct)
{
	construct->status = (enum inst_status)record_take_number(fields);
	construct->line = (int)record_take_number(fields);
	construct->column = (int)record_take_number(fields);
	construct->directive = record_take_text(fields);
	construct->function = record_take_text(fields);
	if (construct->function[0] == '\0')
		construct->function = NULL;
	construct->file = record_take_text(fields);
	construct->reason = record_take_text(fields);
	size_t count = record_take_number(fields);
	if (fields->failed || count > (size_t)(fields->end - fields->next))
		return -1;
	struct inst_part *parts = count > 0 ? calloc(count, sizeof *parts) : NULL;
	if (count > 0 && parts == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		parts[i].directive = record_take_text(fields);
		parts[i].calls = record_take_text(fields);
		parts[i].wait = record_take_text(fields);
		parts[i].clauses = record_take_text(fields);
		parts[i].schedule = record_take_text(fields);
	}
	construct->parts = parts;
	construct->part_count = count;
	return fields->failed ? -1 : 0;
}

static int read_records(struct engine_result *result)
{
	const struct text_file *records = &result->records;
	struct record_fields fields = {records->bytes, records->bytes + records->length, false};

	result->edit_count = record_take_number(&fields);
	result->written = record_take_number(&fields) != 0;
	while (!fields.failed && fields.next < fields.end) {
		const struct inst_construct none = {0};
		size_t index = result->construct_count;

		if (!ARRAY_PUSH(result->constructs, result->construct_count,
			result->construct_capacity, none) ||
		    read_construct(&fields, &result->constructs[index]) != 0)
			return -1;
	}
	return fields.failed ? -1 : 0;
}

int engine_process_run(struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path, struct engine_result *result, char **error)
{
	struct rewrite rewrite = {input, options, text_path, record_path};

	*result = (struct engine_result){0};
	DEBUG_LOG(run, "runs the engine over %zu bytes of %s (%s)", input->length, input->file_name,
	    input->form == INST_SOURCE ? "source" : "preprocessed");
	if (engine_child_run(watch, rewrite_in_child, &rewrite, show_stderr, record_path,
		&result->records, error) != 0)
		return -1;
	if (read_records(result) != 0) {
		*error = strdup("the instrumenter's list of constructs is incomplete");
		engine_result_finish(result);
		return -1;
	}
	return 0;
}

void engine_result_finish(struct engine_result *result)
{
	for (size_t i = 0; i < result->construct_count; i++)
		free((void *)result->constructs[i].parts);
	free(result->constructs);
	text_file_finish(&result->records);
	*result = (struct engine_result){0};
}
