/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the engine in a child process. The child writes the edited text to one file and the list of
 * constructs to another; they are used only when it ended with 0.
 *
 * The record file: the number of edits and whether the engine wrote all of the text, or its error,
 * then for each construct status, line, column, directive, function (empty for none), file, reason
 * and the number of its parts, then the four texts of each part, each field ended by a NUL byte.
 * Parent and child are the same program, so the format needs neither version nor escapes.
 */
#include "engine-process.h"
#include "engine-module.h"
#include "installation.h"
#include "shared/array.h"
#include "shared/debug-log.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Processor seconds after which the text is taken to be beyond the engine. */
#define MOST_SECONDS 120

/* In bytes. The kernel leaves about as much room below the stack of the first thread. */
#define MOST_STACK ((rlim_t)120 * 1024 * 1024)

enum child_outcome { CHILD_DONE = 0, CHILD_ENGINE_ERROR = 3, CHILD_WRITE_ERROR = 4 };

/* The files that the engine read; the latest first, because it is most likely read again. */
struct opened_file {
	char *name;
	struct text_file file;
	struct opened_file *next;
};

/* inst_input's read_file. */
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
		/* A file that cannot be read is remembered as an empty one. */
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

/* The engine, or NULL with a message (heap) in *error. */
static const struct inst_module *load_engine(char **error)
{
	char *path = locate_engine();
	void *module = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	const struct inst_module *engine = module ? dlsym(module, INST_MODULE_NAME) : NULL;

	if (path == NULL)
		*error = strdup(INST_MODULE_FILE " was not found");
	else if (engine == NULL && asprintf(error, "cannot load the engine: %s", dlerror()) < 0)
		*error = NULL;
	free(path);
	return engine;
}

static void write_field(FILE *file, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, file);
}

static void write_construct(FILE *file, const struct inst_construct *construct)
{
	fprintf(file, "%d%c%d%c%d%c", (int)construct->status, '\0', construct->line, '\0',
	    construct->column, '\0');
	write_field(file, construct->directive);
	write_field(file, construct->function ? construct->function : "");
	write_field(file, construct->file);
	write_field(file, construct->reason ? construct->reason : "");
	fprintf(file, "%zu%c", construct->part_count, '\0');
	for (size_t i = 0; i < construct->part_count; i++) {
		const struct inst_part *part = &construct->parts[i];
		write_field(file, part->directive);
		write_field(file, part->calls);
		write_field(file, part->wait);
		write_field(file, part->clauses);
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

static enum child_outcome rewrite_in_child(const struct inst_input *input,
    const struct inst_options *options, const char *text_path, const char *record_path)
{
	struct inst_input with_files = *input;
	struct opened_file *opened = NULL;
	struct inst_result result = {0};
	char *error = NULL;

	with_files.read_file = read_for_engine;
	with_files.read_file_context = &opened;
	const struct inst_module *engine = load_engine(&error);
	int failed = engine == NULL || engine->rewrite(&with_files, options, &result, &error) != 0;
	close_files(opened);
	if (failed) {
		const char *text = error ? error : "out of memory";
		return text_file_write(record_path, text, strlen(text) + 1) != 0
			   ? CHILD_WRITE_ERROR
			   : CHILD_ENGINE_ERROR;
	}
	if (text_file_write(text_path, result.text, result.length) != 0 ||
	    write_records(record_path, &result) != 0)
		return CHILD_WRITE_ERROR;
	engine->result_free(&result);
	return CHILD_DONE;
}

/* Does not return. */
static void run_child(const struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path)
{
	struct rlimit limit;

	sigprocmask(SIG_SETMASK, &watch->original, NULL);
	/* libclang and the walk over its tree recurse as deep as the user's text nests. */
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST_STACK) {
		limit.rlim_cur = limit.rlim_max < MOST_STACK ? limit.rlim_max : MOST_STACK;
		setrlimit(RLIMIT_STACK, &limit);
	}
	setenv("LIBCLANG_NOTHREADS", "1", 1); /* whose stacks would be small */
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > MOST_SECONDS) {
		limit.rlim_cur = MOST_SECONDS;
		setrlimit(RLIMIT_CPU, &limit);
	}
	/* libclang prints about its own crashes, which ompinst reports itself. */
	int nowhere = show_stderr || DEBUG_LOG_ON(run) ? -1 : open("/dev/null", O_WRONLY);
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	_exit(rewrite_in_child(input, options, text_path, record_path));
}

/* The fields of the records not yet taken. */
struct fields {
	const char *next, *end;
	bool failed; /* they ended early */
};

static const char *take_text(struct fields *fields)
{
	const char *text = fields->next;
	const char *end = memchr(text, '\0', (size_t)(fields->end - text));

	if (end == NULL) {
		fields->failed = true;
		return "";
	}
	fields->next = end + 1;
	return text;
}

static size_t take_number(struct fields *fields)
{
	return strtoul(take_text(fields), NULL, 10);
}

static int read_construct(struct fields *fields, struct inst_construct *construct)
{
	construct->status = (enum inst_status)take_number(fields);
	construct->line = (int)take_number(fields);
	construct->column = (int)take_number(fields);
	construct->directive = take_text(fields);
	construct->function = take_text(fields);
	if (construct->function[0] == '\0')
		construct->function = NULL;
	construct->file = take_text(fields);
	construct->reason = take_text(fields);
	size_t count = take_number(fields);
	if (fields->failed || count > (size_t)(fields->end - fields->next))
		return -1;
	struct inst_part *parts = count > 0 ? calloc(count, sizeof *parts) : NULL;
	if (count > 0 && parts == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		parts[i].directive = take_text(fields);
		parts[i].calls = take_text(fields);
		parts[i].wait = take_text(fields);
		parts[i].clauses = take_text(fields);
	}
	construct->parts = parts;
	construct->part_count = count;
	return fields->failed ? -1 : 0;
}

static int read_records(struct engine_result *result)
{
	const struct text_file *records = &result->records;
	struct fields fields = {records->bytes, records->bytes + records->length, false};

	result->edit_count = take_number(&fields);
	result->written = take_number(&fields) != 0;
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

static void explain_failure(int code, const struct text_file *records, char **error)
{
	int made;

	if (code == CHILD_ENGINE_ERROR && records->length > 0)
		made = asprintf(error, "%s", records->bytes);
	else if (code == CHILD_WRITE_ERROR)
		made = asprintf(error,
		    "cannot write temporary files: is the disk of the folder for them (TMPDIR) full?");
	else if (code == 128 + SIGXCPU)
		made = asprintf(error, "it took more than %d seconds", MOST_SECONDS);
	else if (code > 128)
		made = asprintf(error, "the instrumenter was ended by signal %d", code - 128);
	else
		made = asprintf(error, "the instrumenter ended with code %d", code);
	if (made < 0)
		*error = NULL;
}

int engine_process_run(struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path, struct engine_result *result, char **error)
{
	*result = (struct engine_result){0};
	fflush(NULL); /* or the child would write the same buffers again */
	DEBUG_LOG(run, "runs the engine over %zu bytes of %s (%s)", input->length, input->file_name,
	    input->form == INST_SOURCE ? "source" : "preprocessed");
	pid_t child = fork();
	if (child == 0)
		run_child(watch, input, options, show_stderr, text_path, record_path);
	int code = child < 0 ? -1 : process_wait(watch, child);
	int reason = errno;
	DEBUG_LOG(run, "the engine ended with status %d", code);
	errno = reason;
	if (code < 0) {
		if (asprintf(error, "cannot run the instrumenter: %s", strerror(errno)) < 0)
			*error = NULL;
		return -1;
	}
	int unread = text_file_read(record_path, &result->records);
	if (code != CHILD_DONE || unread != 0 || read_records(result) != 0) {
		explain_failure(code, &result->records, error);
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
