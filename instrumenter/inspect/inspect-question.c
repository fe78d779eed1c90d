/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Has gdb load the `omp` commands, ask and write the answer to a file (ompd/gdb/omp_inspect.py),
 * because gdb itself prints much else. What gdb prints is shown only if there is no answer.
 */
#include "inspect-question.h"

#include "construct-report.h"
#include "installation.h"
#include "program-search.h"
#include "text-file.h"
#include "word-list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets the variables that omp_inspect.py reads. */
static void tell(const struct inspect_question *question)
{
	const struct inspect_target *target = &question->target;
	char numbers[INSPECT_MOST_PROCESSES * 12] = ""; /* each has at most ten digits */
	int length = 0;

	if (target->process != 0)
		length = snprintf(numbers, sizeof numbers, "%ld", (long)target->process);
	for (size_t i = 0; i < target->other_count; i++)
		length += snprintf(numbers + length, sizeof numbers - (size_t)length, " %ld",
		    (long)target->others[i]);
	const char *const variables[][2] = {
	    {"OMPINST_INSPECT_COMMAND", question->command},
	    {"OMPINST_INSPECT_FORM", question->options.form == INSPECT_JSON ? "json" : NULL},
	    {"OMPINST_INSPECT_PID", numbers},
	    {"OMPINST_INSPECT_RANKS", question->options.ranks ? "1" : NULL},
	    {"OMPINST_INSPECT_CORE", target->core},
	    {"OMPINST_INSPECT_ANSWER", question->answer},
	    {"OMPINST_INSPECT_FOLDER", question->folder},
	};
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		setenv(variables[i][0], variables[i][1] != NULL ? variables[i][1] : "", 1);
	/* What is preloaded for programs, or checks them, is not for gdb. */
	unsetenv("LD_PRELOAD");
	unsetenv("OMP_TOOL_LIBRARIES");
}

/* Runs gdb; returns its exit status, or -1 with errno. */
static int run_debugger(struct process_watch *watch, const struct inspect_question *question)
{
	static const char *const settings[] = {"set auto-load no", "set debuginfod enabled off",
	    "set pagination off", "set confirm off"};
	struct words words = {0};
	struct process_streams streams = {
	    .input = open("/dev/null", O_RDONLY | O_CLOEXEC),
	    .output = question->log_descriptor,
	    .error = question->log_descriptor,
	};

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
	int status = -1;
	errno = ENOMEM;
	if (words_vector(&words) != NULL && streams.input >= 0)
		status = process_run(watch, question->debugger, words.items, streams);
	int problem = errno;
	words_finish(&words);
	if (streams.input >= 0)
		close(streams.input);
	errno = problem;
	return status;
}

/* Why there is no answer (heap), in the words of the commands or of gdb. */
static char *explain(const struct inspect_question *question)
{
	struct text_file why;
	char *refusal = inspect_target_refusal(&question->target), *text = NULL;
	int made;

	if (text_file_read(question->answer, &why) == 0 && why.length > 0)
		made = asprintf(&text, "%s%s%s", why.bytes, refusal != NULL ? "; " : "",
		    refusal != NULL ? refusal : "");
	else if (text_file_read(question->log, &why) == 0)
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
	text_file_remove(question->answer);
	tell(question);
	int status = run_debugger(watch, question);
	if (watch->interrupted != 0)
		return INSPECT_CANNOT;
	if (status < 0) {
		report_not_run(question->debugger, errno);
		return INSPECT_CANNOT;
	}
	if (status > INSPECT_DEADLOCK || text_file_read(question->answer, &file) != 0) {
		*answer = explain(question);
		return INSPECT_CANNOT;
	}
	*answer = strdup(file.bytes);
	text_file_finish(&file);
	return *answer != NULL ? status : INSPECT_CANNOT;
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
	if (question->folder == NULL || scratch_init(&question->scratch) != 0) {
		report_error(NULL, "cannot begin: %s", strerror(errno));
		return false;
	}
	question->answer = scratch_path(&question->scratch, 0, "answer");
	question->log = scratch_path(&question->scratch, 0, "log");
	if (question->log != NULL)
		question->log_descriptor =
		    open(question->log, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (question->answer != NULL && question->log_descriptor >= 0)
		return true;
	report_error(NULL, "cannot begin: %s", strerror(errno));
	return false;
}

void inspect_question_close(struct inspect_question *question)
{
	if (question->log_descriptor >= 0)
		close(question->log_descriptor);
	scratch_finish(&question->scratch);
	free(question->debugger);
	free(question->folder);
	free(question->answer);
	free(question->log);
}
