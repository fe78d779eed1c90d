/* SPDX-License-Identifier: BSD-3-Clause */
/* One question about a process or a core file, which gdb answers. */
#ifndef INSPECT_QUESTION_H
#define INSPECT_QUESTION_H

#include "child-process.h"
#include "inspect-options.h"
#include "inspect-target.h"

#include <stdbool.h>

/*
 * What an answer says; also the exit status of the command. INSPECT_STILL: in the time that the
 * question names nothing has moved, although there is no deadlock that is known as one.
 */
enum { INSPECT_NO_DEADLOCK, INSPECT_DEADLOCK, INSPECT_CANNOT, INSPECT_STILL };

struct inspect_question {
	const char *command; /* "why" or "stacks" */
	struct inspect_options options;
	struct inspect_target target;
	/*
	 * Of a program that is watched: for how many seconds nothing may move, for which it goes on
	 * under gdb; 0: that is not asked.
	 */
	unsigned window;
	/* The rest is inspect_question_open()'s. */
	char *debugger, *folder; /* gdb, and its commands */
	int answer, log;         /* files in memory; -1 before */
};

/* Finds gdb and its commands, and makes the files; false with a message. */
bool inspect_question_open(struct inspect_question *question);
void inspect_question_close(struct inspect_question *question);

/*
 * Asks about the target. Returns what the answer says, with its text (heap), or INSPECT_CANNOT with
 * why there is none; *answer is NULL after a signal, and if that has been said already.
 */
int inspect_ask(
    struct process_watch *watch, const struct inspect_question *question, char **answer);

#endif
