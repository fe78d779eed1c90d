/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst why|stacks PID|CORE`, and `--watch` for a program that it starts. */
#include "inspect-command.h"

#include "construct-report.h"
#include "inspect-question.h"
#include "process-stat.h"
#include "watched-run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return INSPECT_CANNOT;
}

/* What its threads do is what they did when it was stopped; the answer does not say so. */
static void note_stop(const struct inspect_target *target)
{
	struct process_stat stat;

	if (target->process != 0 && process_stat_read(target->process, &stat) && stat.state == 'T')
		report_note(NULL,
		    "process %ld is stopped by a signal (SIGSTOP, or Ctrl-Z in its terminal); "
		    "'kill -CONT %ld' lets it go on",
		    (long)target->process, (long)target->process);
}

static int print_answer(struct process_watch *watch, const struct inspect_question *question)
{
	char *answer;
	int code = inspect_ask(watch, question, &answer);

	if (answer != NULL && code == INSPECT_CANNOT) {
		report_error(NULL, "%s", answer);
	} else if (answer != NULL) {
		fputs(answer, stdout);
		if (fflush(stdout) != 0) {
			report_error(NULL, "cannot write the answer: %s", strerror(errno));
			code = INSPECT_CANNOT;
		}
	}
	free(answer);
	return code;
}

int inspect_main(const char *command, const char *const *words)
{
	struct inspect_question question = {.command = command, .answer = -1, .log = -1};
	struct process_watch watch;
	char *error = NULL;
	int code = INSPECT_CANNOT;
	int count = inspect_options_read(words, &question.options, &error);

	if (count < 0)
		return fail(error);
	if (question.options.help) {
		inspect_options_print_help(stdout, command);
		return 0;
	}
	if (question.options.watch == 0 &&
	    !inspect_target_read(words + count, &question.target, &error))
		return fail(error);
	if (question.options.watch == 0)
		note_stop(&question.target);
	process_watch_open(&watch);
	if (inspect_question_open(&question))
		code = question.options.watch == 0 ? print_answer(&watch, &question)
						   : watched_run(&watch, &question, words + count);
	inspect_question_close(&question);
	process_watch_close(&watch);
	return code;
}
