/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst snapshot PID|NAME`: finds the process, reads its profile, prints it or what is new in
 * it. An interval is printed before its end is kept as the next one's begin: if that is
 * interrupted, the next interval contains this one again.
 */
#include "snapshot-command.h"

#include "common/summary-interval.h"
#include "construct-report.h"
#include "error-text.h"
#include "installation.h"
#include "interval-begin.h"
#include "process-stat.h"
#include "shared/read-text.h"
#include "snapshot-options.h"
#include "text-file.h"
#include "thread-times.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DONE = 0, NO_PROFILE = 2, WIDTH_DEFAULT = 80, WIDTH_MIN = 60 };
#define NAME_SECONDS 10.0 /* as at the end of a program */

struct snapshot {
	struct snapshot_options options;
	struct profile_library library;
	struct process_facts facts;
	struct target_memory memory;
	struct live_profile profile;
	struct code_lookup lookup;
	struct place_names names;
	char program[PATH_MAX]; /* its first word */
};

/* The user's processes with a name. */
struct named {
	const char *name;
	pid_t process; /* the first */
	size_t count;
};

static bool visit(void *context, pid_t process)
{
	struct named *named = context;
	struct process_facts facts;

	if (process == getpid() || !process_facts_read(process, &facts) ||
	    facts.owner != geteuid() || !process_has_name(&facts, named->name))
		return true;
	if (named->count++ == 0)
		named->process = process;
	return true;
}

static bool find_named(struct snapshot *snapshot, const char *name, char **error)
{
	struct named named = {.name = name};

	processes_visit(visit, &named);
	if (named.count > 1)
		return error_set(error,
		    "%zu processes of this user are called '%s', one is %ld; "
		    "expected the number of one",
		    named.count, name, (long)named.process);
	if (named.count == 0 || !process_facts_read(named.process, &snapshot->facts))
		return error_set(error, "there is no process of this user called '%s'", name);
	return true;
}

/* "1234" is a process, all else a name. */
static bool find_process(struct snapshot *snapshot, char **error)
{
	const char *word = snapshot->options.process;
	char *end;
	long number = strtol(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end != '\0')
		return find_named(snapshot, word, error);
	if (number <= 0 || number != (pid_t)number ||
	    !process_facts_read((pid_t)number, &snapshot->facts))
		return error_set(error, "there is no process %s", word);
	return true;
}

static bool refuse(const struct snapshot *snapshot, int problem, char **error)
{
	char *why = process_refusal(&snapshot->facts, problem);

	error_set(error, "process %ld %s", (long)snapshot->facts.process,
	    why != NULL ? why : "may not be read");
	free(why);
	return false;
}

/* The address of libpomp's table, or 0 with *error. */
static uint64_t find_table(struct snapshot *snapshot, char **error)
{
	struct loaded_modules modules;
	int problem = modules_read(snapshot->facts.process, &modules);
	uint64_t table = 0;

	if (problem == 0) {
		table = measured_table(&snapshot->memory, &modules);
		problem = table == 0 ? snapshot->memory.problem : 0;
		modules_finish(&modules);
	}
	if (table != 0)
		return table;
	if (problem == EPERM || problem == EACCES)
		refuse(snapshot, problem, error);
	else if (problem == ENOENT || problem == ESRCH)
		error_set(error, "process %ld has ended", (long)snapshot->facts.process);
	else
		error_set(error,
		    "process %ld is not measured: it has not loaded libpomp.so; expected a program that "
		    "'ompinst' compiled or 'ompinst run' started",
		    (long)snapshot->facts.process);
	return 0;
}

static bool read_profile(struct snapshot *snapshot, char **error)
{
	uint64_t table = find_table(snapshot, error);
	char path[64];

	if (table == 0)
		return false;
	enum live_result result = measured_read(
	    &snapshot->library, &snapshot->memory, &snapshot->names, table, &snapshot->profile);
	if (result == LIVE_READ) {
		snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)snapshot->facts.process);
		read_text(path, snapshot->program, sizeof snapshot->program);
		snapshot->profile.summary.program = snapshot->program;
		return true;
	}
	if (result == LIVE_UNREADABLE && snapshot->memory.problem == EPERM)
		return refuse(snapshot, EPERM, error);
	if (result == LIVE_UNREADABLE &&
	    (snapshot->memory.problem == ESRCH ||
		process_start_time(snapshot->facts.process) != snapshot->facts.start))
		return error_set(error, "process %ld has ended", (long)snapshot->facts.process);
	return error_set(
	    error, "process %ld %s", (long)snapshot->facts.process, measured_problem(result));
}

static int width_of(const struct snapshot *snapshot)
{
	struct winsize size;

	if (snapshot->options.output != NULL || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

/*
 * A plain file is replaced. What is none (/dev/stdout, a pipe), and a link, is written to: nobody
 * wants a device replaced.
 */
static bool write_output(const char *path, const char *text, size_t length, char **error)
{
	struct replaced_file file;
	struct stat status;

	if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return text_file_write(path, text, length) == 0 ||
		       error_set(error, "cannot write '%s': %s", path, strerror(errno));
	bool is_written = replaced_file_open(&file, path, error) &&
			  replaced_file_write(&file, "", 0, text, length, error);
	replaced_file_close(&file);
	return is_written;
}

static bool print(const struct snapshot *snapshot, char **error)
{
	const struct snapshot_options *options = &snapshot->options;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	size_t rows =
	    options->output == NULL && options->form == SUMMARY_TEXT && isatty(STDOUT_FILENO)
		? SUMMARY_ROWS_SCREEN
		: 0;
	bool is_printed = out != NULL && summary_print(out, &snapshot->profile.summary,
					     options->form, width_of(snapshot), rows) == 0;

	if (out != NULL)
		is_printed = fclose(out) == 0 && is_printed;
	if (is_printed && options->output != NULL)
		is_printed = write_output(options->output, text, length, error);
	else if (is_printed && (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0))
		is_printed = error_set(error, "cannot write: %s", strerror(errno));
	free(text);
	return is_printed;
}

static bool print_since(struct snapshot *snapshot, struct interval_begin *begin, char **error)
{
	struct summary *now = &snapshot->profile.summary;
	size_t bytes = 0;

	if (!interval_begin_read(begin, &snapshot->profile, error))
		return false;
	if (begin->is_known)
		summary_raise(now, &begin->summary);
	void *packed = snapshot->library.functions->pack(now, &bytes);
	if (begin->is_known)
		summary_subtract(now, &begin->summary);
	bool is_done = packed != NULL && print(snapshot, error) &&
		       interval_begin_write(begin, &snapshot->profile, packed, bytes, error);
	free(packed);
	return is_done;
}

/* Reads the profile and prints it, or what is new since the begin. */
static bool print_profile(struct snapshot *snapshot, struct interval_begin *begin, char **error)
{
	if (!read_profile(snapshot, error))
		return false;
	bool is_done = begin != NULL ? print_since(snapshot, begin, error) : print(snapshot, error);
	if (snapshot->profile.torn > 0)
		report_note(NULL,
		    "%" PRIu64
		    " threads had events all the time; their sums may lack the last of them",
		    snapshot->profile.torn);
	snapshot->library.functions->release(&snapshot->profile);
	return is_done;
}

static bool take(struct snapshot *snapshot, char **error)
{
	struct interval_begin begin;
	struct locations locations;

	locate_libraries(&locations, NULL);
	if (!target_memory_init(&snapshot->memory, snapshot->facts.process) ||
	    !profile_library_open(&snapshot->library, locations.libpomp, error)) {
		locations_finish(&locations);
		return false;
	}
	locations_finish(&locations);
	char *names = locate_names_library();
	code_lookup_open(&snapshot->lookup, names);
	free(names);
	place_names_init(&snapshot->names, &snapshot->lookup, NAME_SECONDS);
	if (!snapshot->options.reset && snapshot->options.since == NULL)
		return print_profile(snapshot, NULL, error);
	bool is_done = interval_begin_open(&begin, snapshot->options.since, &snapshot->facts,
			   snapshot->library.functions, error) &&
		       print_profile(snapshot, &begin, error);
	interval_begin_finish(&begin);
	return is_done;
}

int snapshot_main(const char *const *words)
{
	struct snapshot snapshot = {.library = {NULL, NULL}};
	char *error = NULL;
	bool is_done = snapshot_options_read(words, &snapshot.options, &error);

	if (is_done && snapshot.options.help) {
		snapshot_options_print_help(stdout);
		return DONE;
	}
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails */
	is_done = is_done && find_process(&snapshot, &error) && take(&snapshot, &error);
	if (!is_done)
		report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	place_names_finish(&snapshot.names);
	code_lookup_close(&snapshot.lookup);
	target_memory_finish(&snapshot.memory);
	profile_library_close(&snapshot.library);
	return is_done ? DONE : NO_PROFILE;
}
