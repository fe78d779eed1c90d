/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the engine in a child process. The child writes the edited text to one file and the list of
 * constructs to another; only a child that ended with 0 is believed.
 *
 * The record file: the number of edits, or the engine's error, then per construct status, line,
 * column, directive, file and reason, each field ended by a NUL byte. Parent and child are the same
 * program, so the format needs neither version nor escapes.
 */
#include "rewrite.h"
#include "engine-module.h"
#include "installation.h"

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

enum child_outcome { CHILD_DONE = 0, CHILD_ENGINE_ERROR = 3, CHILD_WRITE_ERROR = 4 };

/* The files that the engine asked for; the last one asked for is most likely asked for again. */
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
		/* One that cannot be read is remembered as having no bytes. */
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

static int write_records(const char *path, const struct inst_result *result)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return -1;
	fprintf(file, "%zu%c", result->edit_count, '\0');
	for (size_t i = 0; i < result->construct_count; i++) {
		const struct inst_construct *construct = &result->constructs[i];
		const char *reason = construct->reason ? construct->reason : "";
		fprintf(file, "%d%c%d%c%d%c%s%c%s%c%s%c", (int)construct->status, '\0',
		    construct->line, '\0', construct->column, '\0', construct->directive, '\0',
		    construct->file, '\0', reason, '\0');
	}
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
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > MOST_SECONDS) {
		limit.rlim_cur = MOST_SECONDS;
		setrlimit(RLIMIT_CPU, &limit);
	}
	/* libclang prints about its own crashes; the user hears about them from us. */
	int nowhere = show_stderr ? -1 : open("/dev/null", O_WRONLY);
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	_exit(rewrite_in_child(input, options, text_path, record_path));
}

/* Takes the next field off the records; NULL when they end early. */
static const char *next_field(const struct text_file *records, size_t *offset)
{
	const char *field = records->bytes + *offset;

	if (*offset >= records->length)
		return NULL;
	*offset += strlen(field) + 1;
	return field;
}

static int read_records(struct rewrite *rewrite)
{
	size_t offset = 0, fields = 0;
	const char *field = next_field(&rewrite->records, &offset);

	if (field == NULL)
		return -1;
	rewrite->edit_count = strtoul(field, NULL, 10);
	for (size_t i = offset; i < rewrite->records.length; i++)
		fields += rewrite->records.bytes[i] == '\0';
	rewrite->constructs = calloc(fields / 6 + 1, sizeof *rewrite->constructs);
	if (rewrite->constructs == NULL)
		return -1;
	for (size_t i = 0; i < fields / 6; i++) {
		struct inst_construct *construct = &rewrite->constructs[i];
		construct->status = (enum inst_status)atoi(next_field(&rewrite->records, &offset));
		construct->line = atoi(next_field(&rewrite->records, &offset));
		construct->column = atoi(next_field(&rewrite->records, &offset));
		construct->directive = next_field(&rewrite->records, &offset);
		construct->file = next_field(&rewrite->records, &offset);
		construct->reason = next_field(&rewrite->records, &offset);
	}
	rewrite->construct_count = fields / 6;
	return 0;
}

static void explain_failure(int code, const struct text_file *records, char **error)
{
	int made;

	if (code == CHILD_ENGINE_ERROR && records->length > 0)
		made = asprintf(error, "%s", records->bytes);
	else if (code == CHILD_WRITE_ERROR)
		made = asprintf(error, "cannot write temporary files");
	else if (code == 128 + SIGXCPU)
		made = asprintf(error, "took more than %d seconds", MOST_SECONDS);
	else if (code > 128)
		made = asprintf(error, "the instrumenter died of signal %d", code - 128);
	else
		made = asprintf(error, "the instrumenter ended with code %d", code);
	if (made < 0)
		*error = NULL;
}

int rewrite_run(struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path, struct rewrite *rewrite, char **error)
{
	*rewrite = (struct rewrite){0};
	fflush(NULL); /* or the child would write our buffers once more */
	pid_t child = fork();
	if (child == 0)
		run_child(watch, input, options, show_stderr, text_path, record_path);
	int code = child < 0 ? -1 : process_wait(watch, child);
	if (code < 0) {
		if (asprintf(error, "cannot run the instrumenter: %s", strerror(errno)) < 0)
			*error = NULL;
		return -1;
	}
	int unread = text_file_read(record_path, &rewrite->records);
	if (code != CHILD_DONE || unread != 0 || read_records(rewrite) != 0) {
		explain_failure(code, &rewrite->records, error);
		rewrite_finish(rewrite);
		return -1;
	}
	return 0;
}

void rewrite_finish(struct rewrite *rewrite)
{
	free(rewrite->constructs);
	text_file_finish(&rewrite->records);
	*rewrite = (struct rewrite){0};
}
