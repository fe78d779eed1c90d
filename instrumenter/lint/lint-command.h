/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of one compiler command, checked. */
#ifndef LINT_COMMAND_H
#define LINT_COMMAND_H

#include "child-process.h"
#include "command.h"
#include "compiler.h"
#include "findings.h"
#include "lint-options.h"
#include "scratch.h"

struct lint_run {
	const struct lint_options *options;
	struct process_watch watch;
	struct scratch scratch;
	struct findings findings;
	size_t number; /* of files read */
	bool trouble;  /* something could not be read; it was said */
	bool aside;    /* besides a compilation, which is to say what cannot be read: see below */
	const struct lint_question *question; /* or NULL */
	char *answer;                         /* heap, or NULL */
};

/*
 * Checks each C and C++ file of the arguments (without the compiler). `openmp`: the directives
 * count although the arguments do not have -fopenmp. With run->aside nothing is said of a file that
 * cannot be checked, standard input is left to the compiler, and so is a file in whose own text
 * nothing can be a directive, at no more cost than reading it.
 */
void lint_check_command(struct lint_run *run, const struct compiler *compiler,
    const char *const *arguments, bool openmp);

#endif
