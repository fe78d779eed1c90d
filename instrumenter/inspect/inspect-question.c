/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Has gdb load the `omp` commands, ask and write the answer to a file (ompd/gdb/omp_inspect.py),
 * because gdb itself prints much else. What gdb prints is shown only if there is no answer. Both
 * files are in memory: they need no disk, and nothing of them is left behind.
 *
 * A process that gdb is attached to must go on, whatever ends gdb or this program. gdb is in a
 * process group of its own: signals to this program's group, and those of a terminal, do not reach
 * it while it attaches, and if this program is killed, gdb ends as ever. Of other signals it learns
 * by SIGTERM, with which the commands detach; a SIGINT it would pass on to the process. If gdb is
 * killed, the process is continued: the signal that was to stop it may have been left.
 */
#include "inspect-question.h"

#include "construct-report.h"
#include "installation.h"
#include "process-stat.h"
#include "program-search.h"
#include "text-file.h"
#include "word-list.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What omp_inspect.py adds to the answer's status. */
enum { ANSWERED = 100 };

/* Sets the variables that omp_inspect.py reads. */
static void tell(const struct inspect_question *question)
{
	const struct inspect_target *target = &question->target;
	char numbers[INSPECT_MOST_PROCESSES * 12] = ""; /* each has at most ten digits */
	char answer[64], window[16];
	int length = 0;

	if (target->process != 0)
		length = snprintf(numbers, sizeof numbers, "%ld", (long)target->process);
	for (size_t i = 0; i < target->other_count; i++)
		length += snprintf(numbers + length, sizeof numbers - (size_t)length, " %ld",
		    (long)target->others[i]);
	snprintf(answer, sizeof answer, "/proc/self/fd/%d", question->answer);
	snprintf(window, sizeof window, "%u", question->window);
	const char *const variables[][2] = {
	    {"OMPINST_INSPECT_COMMAND", question->command},
	    {"OMPINST_INSPECT_FORM", question->options.form == INSPECT_JSON ? "json" : NULL},
	    {"OMPINST_INSPECT_PID", numbers},
	    {"OMPINST_INSPECT_RANKS", question->options.ranks ? "1" : NULL},
	    {"OMPINST_INSPECT_WINDOW", question->options.watch > 0 ? window : NULL},
	    {"OMPINST_INSPECT_CORE", target->core},
	    {"OMPINST_INSPECT_ANSWER", answer},
	    {"OMPINST_INSPECT_FOLDER", question->folder},
	};
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		setenv(variables[i][0], variables[i][1] != NULL ? variables[i][1] : "", 1);
	/* What is preloaded for programs, or checks them, is not for gdb. */
	unsetenv("LD_PRELOAD");
	unsetenv("OMP_TOOL_LIBRARIES");
}

static bool is_stopped(pid_t process)
{
	struct process_stat stat;

	return process != 0 && process_stat_read(process, &stat) && stat.state == 'T';
}

/* Which of the target's processes were stopped before gdb stops them. */
struct stopped {
	bool process, others[INSPECT_MOST_PROCESSES - 1];
};

static void note_stopped(const struct inspect_target *target, struct stopped *stopped)
{
	stopped->process = is_stopped(target->process);
	for (size_t i = 0; i < target->other_count; i++)
		stopped->others[i] = is_stopped(target->others[i]);
}

/*
 * Continues a process that gdb has left stopped. After an answer gdb has detached: a process that
 * is stopped then was stopped by somebody else meanwhile.
 */
static void let_go_on(pid_t process, bool was_stopped, int status)
{
	bool has_answered = WIFEXITED(status) && WEXITSTATUS(status) >= ANSWERED;

	if (process != 0 && !was_stopped && !has_answered &&
	    (WIFSIGNALED(status) || is_stopped(process)))
		kill(process, SIGCONT);
}

/*
 * Runs gdb, which inherits the answer; returns its exit status, 128 + n for signal n, or -1 with
 * errno. The processes go on however gdb ends.
 */
static int run_words(
    struct process_watch *watch, const struct inspect_question *question, char *const *words)
{
	const struct process_start start = {
	    .program = question->debugger,
	    .arguments = words,
	    .streams = {open("/dev/null", O_RDONLY | O_CLOEXEC), question->log, question->log},
	    .group = PROCESS_GROUP_OF_ITS_OWN,
	};
	const struct inspect_target *target = &question->target;
	struct stopped stopped;
	pid_t child = -1;
	int status;

	note_stopped(target, &stopped);
	if (words == NULL || start.streams.input < 0)
		return -1;
	process_log_command("runs", start.program, words);
	watch->passed_on = SIGTERM;
	fcntl(question->answer, F_SETFD, 0);
	int problem = process_start(watch, &start, &child);
	fcntl(question->answer, F_SETFD, FD_CLOEXEC);
	close(start.streams.input);
	if (problem == 0 && !process_wait_status(watch, child, &status))
		problem = errno;
	watch->passed_on = 0;
	errno = problem;
	if (problem != 0)
		return -1;
	let_go_on(target->process, stopped.process, status);
	for (size_t i = 0; i < target->other_count; i++)
		let_go_on(target->others[i], stopped.others[i], status);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_debugger(struct process_watch *watch, const struct inspect_question *question)
{
	static const char *const settings[] = {"set auto-load no", "set debuginfod enabled off",
	    "set pagination off", "set confirm off"};
	struct words words = {0};

	words_add(&words, question->debugger);
	words_add(&words, "-nx");
	words_add(&words, "-batch");
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		words_add(&words, "-iex");
		words_add(&words, settings[i]);
	}
	words_add(&words, "-ex");
	words_add(&words, "python import os, sys; sys.dont_write_bytecode = True; "
			  "sys.path.insert(0, os.environ['OMPINST_INSPECT_FOLDER']); "
			  "import omp_inspect; omp_inspect.main()");
	if (question->target.core != NULL)
		words_add_format(&words, "--core=%s", question->target.core);
	if (question->target.program != NULL)
		words_add(&words, question->target.program);
	errno = ENOMEM;
	int status = run_words(watch, question, words_vector(&words));
	int problem = errno;
	words_finish(&words);
	errno = problem;
	return status;
}

/* Why there is no answer (heap), in the words of the commands or of gdb. */
static char *explain(const struct inspect_question *question)
{
	struct text_file why;
	char *refusal = inspect_target_refusal(&question->target), *text = NULL;
	int made;

	if (text_file_read_descriptor(question->answer, &why) == 0 && why.length > 0)
		made = asprintf(&text, "%s%s%s", why.bytes, refusal != NULL ? "; " : "",
		    refusal != NULL ? refusal : "");
	else if (text_file_read_descriptor(question->log, &why) == 0)
		made = asprintf(&text, "gdb gave no answer; it printed:\n%s", why.bytes);
	else
		made = asprintf(&text, "gdb gave no answer");
	text_file_finish(&why);
	free(refusal);
	return made >= 0 ? text : NULL;
}

int inspect_ask(struct process_watch *watch, const struct inspect_question *question, char **answer)
{
	struct text_file file;

	*answer = NULL;
	if (ftruncate(question->answer, 0) != 0 || ftruncate(question->log, 0) != 0 ||
	    lseek(question->log, 0, SEEK_SET) != 0) {
		report_error(NULL, "cannot begin: %s", strerror(errno));
		return INSPECT_CANNOT;
	}
	tell(question);
	int status = run_debugger(watch, question);
	if (watch->interrupted != 0)
		return INSPECT_CANNOT;
	if (status < 0) {
		report_not_run(question->debugger, errno);
		return INSPECT_CANNOT;
	}
	bool is_answered = status == ANSWERED + INSPECT_NO_DEADLOCK ||
			   status == ANSWERED + INSPECT_DEADLOCK ||
			   status == ANSWERED + INSPECT_STILL;
	if (!is_answered || text_file_read_descriptor(question->answer, &file) != 0) {
		*answer = explain(question);
		return INSPECT_CANNOT;
	}
	*answer = strdup(file.bytes);
	text_file_finish(&file);
	return *answer != NULL ? status - ANSWERED : INSPECT_CANNOT;
}

bool inspect_question_open(struct inspect_question *question)
{
	const char *name = question->options.debugger != NULL ? question->options.debugger : "gdb";

	question->debugger = search_program(name, SEARCH_ALL, NULL);
	if (question->debugger == NULL && errno == ENOENT) {
		report_error(NULL,
		    "'%s' was not found, by which this command looks at programs: "
		    "install gdb",
		    name);
		return false;
	}
	question->folder = locate_debugger_commands();
	if (question->debugger != NULL && question->folder == NULL) {
		report_error(NULL, "gdb's commands are not where ompinst is installed; expected "
				   "ompinst/gdb/omp_inspect.py beside its libraries");
		return false;
	}
	question->answer = text_file_memory();
	question->log = text_file_memory();
	if (question->folder != NULL && question->answer >= 0 && question->log >= 0)
		return true;
	report_error(NULL, "cannot begin: %s", strerror(errno));
	return false;
}

void inspect_question_close(struct inspect_question *question)
{
	if (question->answer >= 0)
		close(question->answer);
	if (question->log >= 0)
		close(question->log);
	free(question->debugger);
	free(question->folder);
}
