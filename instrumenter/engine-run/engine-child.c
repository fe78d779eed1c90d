/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks, and in the child loads the engine's module and runs the work with a time limit and a large
 * stack. The child does not outlive its parent. Its result is a file of records, which is used only
 * if the child exits with 0; its error is a text in the same file.
 */
#include "engine-child.h"
#include "installation.h"
#include "libclang.h"
#include "shared/debug-log.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The limit of processor seconds, after which the engine has failed on the text. */
#define MOST_SECONDS 120

/* In bytes. The kernel leaves about this much room below the stack of the first thread. */
#define MOST_STACK ((rlim_t)120 * 1024 * 1024)

/* The engine, or NULL with a message (heap) in *error. */
static const struct inst_module *load_engine(char **error)
{
	if (INST_LOADS_LIBCLANG && !libclang_load(error))
		return NULL;
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

static enum child_outcome work_in_child(engine_work *work, void *context, const char *record_path)
{
	char *error = NULL;
	const struct inst_module *engine = load_engine(&error);
	enum child_outcome outcome =
	    engine != NULL ? work(engine, context, &error) : CHILD_ENGINE_ERROR;

	if (outcome == CHILD_ENGINE_ERROR) {
		const char *text = error ? error : "out of memory";
		if (text_file_write(record_path, text, strlen(text) + 1) != 0)
			outcome = CHILD_WRITE_ERROR;
	}
	free(error);
	return outcome;
}

/* Does not return. */
static void run_child(const struct process_watch *watch, engine_work *work, void *context,
    bool show_stderr, const char *record_path)
{
	struct rlimit limit;

	sigprocmask(SIG_SETMASK, &watch->original, NULL);
	/* libclang and the walk over its tree recurse as deeply as the user's text nests. */
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST_STACK) {
		limit.rlim_cur = limit.rlim_max < MOST_STACK ? limit.rlim_max : MOST_STACK;
		setrlimit(RLIMIT_STACK, &limit);
	}
	setenv("LIBCLANG_NOTHREADS", "1", 1); /* its threads would have small stacks */
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > MOST_SECONDS) {
		limit.rlim_cur = MOST_SECONDS;
		setrlimit(RLIMIT_CPU, &limit);
	}
	/* libclang prints its own crashes, which ompinst reports itself. */
	int nowhere = show_stderr || DEBUG_LOG_ON(run) ? -1 : open("/dev/null", O_WRONLY);
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	_exit(work_in_child(work, context, record_path));
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

int engine_child_run(struct process_watch *watch, engine_work *work, void *context,
    bool show_stderr, const char *record_path, struct text_file *records, char **error)
{
	*records = (struct text_file){0};
	fflush(NULL); /* otherwise the child would write the same buffers again */
	const pid_t parent = getpid();
	pid_t child = fork();
	if (child == 0 && !process_end_with_parent(parent))
		_exit(CHILD_ENGINE_ERROR);
	if (child == 0)
		run_child(watch, work, context, show_stderr, record_path);
	int code = child < 0 ? -1 : process_wait(watch, child);
	int reason = errno;
	DEBUG_LOG(run, "the engine ended with status %d", code);
	errno = reason;
	if (code < 0) {
		if (asprintf(error, "cannot run the instrumenter: %s", strerror(errno)) < 0)
			*error = NULL;
		return -1;
	}
	int unread = text_file_read(record_path, records);
	if (code != CHILD_DONE || unread != 0) {
		explain_failure(code, records, error);
		text_file_finish(records);
		*records = (struct text_file){0};
		return -1;
	}
	return 0;
}

void record_put(FILE *file, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, file);
}

const char *record_take_text(struct record_fields *fields)
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

size_t record_take_number(struct record_fields *fields)
{
	return strtoul(record_take_text(fields), NULL, 10);
}
