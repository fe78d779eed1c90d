/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst trace PID`: copies what a running program keeps of its latest events (POMP_TRACE_RING),
 * and has `ompreport recover` make an archive of the copy. The program has no part in it.
 */
#include "recorder-command.h"

#include "child-process.h"
#include "common/ring-copy-files.h"
#include "construct-report.h"
#include "error-text.h"
#include "installation.h"
#include "recorder-options.h"
#include "ring-folder.h"
#include "shared/trace-log.h"
#include "text-file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 2, MENTIONED_GAP = 10000000 /* ns */ };

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return FAILED;
}

static bool read_process(const char *word, pid_t *process, char **error)
{
	char *end;

	errno = 0;
	long number = strtol(word, &end, 10);
	if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 || number <= 0 ||
	    number != (pid_t)number)
		return error_set(error, "'%s': expected a process number", word);
	*process = (pid_t)number;
	return true;
}

/*
 * Makes the archive of the copied logs, which are removed then. What ompreport prints goes to the
 * file `out`.
 */
static int convert(const char *path, int out)
{
	char *ompreport = locate_reports();
	char *arguments[] = {ompreport, (char *)"recover", (char *)path, NULL};
	struct process_watch watch;

	if (ompreport == NULL) {
		report_error(NULL,
		    "ompreport is not where ompinst is installed; 'ompreport recover %s' "
		    "makes a trace of what was copied",
		    path);
		return FAILED;
	}
	process_watch_open(&watch);
	int code = process_run(&watch, ompreport, arguments, (struct process_streams){-1, out, -1});
	process_watch_close(&watch);
	free(ompreport);
	return code == 0 ? DONE : FAILED;
}

static sigjmp_buf cut;

static void leave_copying(int number)
{
	siglongjmp(cut, number);
}

/*
 * Copies from the mapped files of the program. If one of them is made shorter meanwhile, the kernel
 * says so by SIGBUS; what is mapped then stays so until this process ends.
 */
static bool copy_files(int from, int to, struct ring_copy *copy, char **error)
{
	const struct sigaction leave = {.sa_handler = leave_copying};

	sigaction(SIGBUS, &leave, NULL);
	if (sigsetjmp(cut, 1) != 0)
		return error_set(error,
		    "'%s' of the program was made shorter while it was copied; expected a file "
		    "that only the program changes; no trace is made",
		    copy->name);
	enum ring_copy_result result = ring_copy_files(from, to, copy);
	signal(SIGBUS, SIG_DFL);
	switch (result) {
	case RING_COPIED:
		return true;
	case RING_UNDEFINED:
		return error_set(error,
		    "'" TRACE_LOG_DEFINITIONS "' beside the events cannot be "
		    "read: the program has just ended, or is of another version");
	case RING_NOT_WRITTEN:
		return error_set(error, "cannot copy the events: %s", strerror(errno));
	case RING_NONE:
		break;
	}
	return error_set(error,
	    "no file of the program's events has them complete: it writes a whole trace, or its "
	    "files were damaged; expected one that keeps only its latest events "
	    "(POMP_TRACE_RING=64M)");
}

/* Copies and converts into the folder `path`, which is new. */
static int make_trace(int from, const char *path, struct ring_copy *copy, int out)
{
	char *error = NULL;
	int to = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (to < 0) {
		error_set(&error, "'%s': %s", path, strerror(errno));
		return fail(error);
	}
	if (!copy_files(from, to, copy, &error)) {
		ring_copy_remove(to, path);
		return fail(error);
	}
	close(to);
	int code = convert(path, out);
	if (code != DONE)
		report_note(NULL, "what was copied remains in '%s'", path);
	return code;
}

/* Prints what ompreport has said of the trace, by the name that it has now. */
static void print_outcome(int out, const char *before, const char *path)
{
	struct text_file said;

	if (text_file_read_descriptor(out, &said) != 0)
		return;
	size_t length = strlen(before);
	bool is_named = strncmp(said.bytes, before, length) == 0;
	printf("%s%s", is_named ? path : "", said.bytes + (is_named ? length : 0));
	text_file_finish(&said);
}

/* Says it if the trace cannot have its name. */
static int name_trace(const char *partial, const char *path)
{
	char *error = NULL;

	if (rename(partial, path) == 0)
		return DONE;
	error_set(&error, "'%s': %s; the trace remains in '%s'", path, strerror(errno), partial);
	return fail(error);
}

/*
 * The trace is made beside its place and renamed when it is complete, so that nobody finds a part
 * of it there: a command that is killed leaves only the folder with the other name.
 */
static int trace_to(int from, const char *path, const struct recorder_options *options)
{
	struct ring_copy copy = {.seconds = options->seconds};
	char *error = NULL, *partial = NULL;
	int out = text_file_memory(), code;

	if (access(path, F_OK) == 0)
		errno = EEXIST;
	else if (asprintf(&partial, "%s.partial-%ld", path, (long)getpid()) < 0)
		return fail(NULL);
	if (partial == NULL || mkdir(partial, 0700) != 0) {
		error_set(
		    &error, "'%s': %s; expected a folder that can be made", path, strerror(errno));
		free(partial);
		return fail(error);
	}
	code = make_trace(from, partial, &copy, out);
	if (code == DONE)
		code = name_trace(partial, path);
	if (code == DONE)
		print_outcome(out, partial, path);
	if (code == DONE && copy.gap > MENTIONED_GAP)
		report_note(NULL,
		    "earlier events of some threads are overwritten or left out: ompreport counts "
		    "from %.2f s on, when all have theirs",
		    (double)copy.gap / 1e9);
	if (code == DONE && copy.overwritten > 0)
		report_note(NULL,
		    "%lu of the threads overwrote their events while others were copied, and have "
		    "none in the trace: take another one, or keep more events (POMP_TRACE_RING)",
		    copy.overwritten);
	if (out >= 0)
		close(out);
	free(partial);
	return code;
}

int recorder_main(const char *const *words)
{
	struct recorder_options options;
	char *error = NULL, name[64];
	pid_t process = 0;

	if (!recorder_options_read(words, &options, &error))
		return fail(error);
	if (options.help) {
		recorder_options_print_help(stdout);
		return DONE;
	}
	if (!read_process(options.process, &process, &error))
		return fail(error);
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails */
	int from = ring_folder_open(process, &error);
	if (from < 0)
		return fail(error);
	snprintf(name, sizeof name, "trace-%ld", (long)process);
	int code = trace_to(from, options.output != NULL ? options.output : name, &options);
	close(from);
	return code;
}
