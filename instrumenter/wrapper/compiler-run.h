/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the user's compiler, and holds what the steps of one run of the wrapper share. */
#ifndef COMPILER_RUN_H
#define COMPILER_RUN_H

#include "child-process.h"
#include "compiler-command.h"
#include "compiler.h"
#include "options.h"
#include "scratch.h"

/* One run of the wrapper: the state that its steps share. */
struct wrapper {
	const struct options *options;
	const char *const *arguments; /* the compiler's, as the user wrote them */
	struct compiler compiler;
	struct command command;
	struct process_watch watch;
	struct scratch scratch;
	int input; /* a copy of the user's standard input, for commands that compile it; else -1 */
};

/* Adds the compiler's own words, with which every command begins. */
void wrapper_add_compiler(const struct wrapper *wrapper, struct words *words);

/*
 * Runs a command that begins with the compiler's words; a very long command goes through a response
 * file in the scratch folder. output and error are descriptors, -1 for those of this process. With
 * --dry-run the command is printed instead. Returns the same as process_run().
 */
int wrapper_run(struct wrapper *wrapper, const struct words *words, int output, int error);

/*
 * Runs the compiler with these additional words, to ask it about itself, and returns its standard
 * output (heap); NULL if it fails.
 */
char *wrapper_ask(struct wrapper *wrapper, const char *const *words);

/*
 * Empties the scratch folder and runs the user's command unchanged. Returns the same as
 * process_run().
 */
int wrapper_run_original(struct wrapper *wrapper);

/* Becomes the compiler by exec. Returns the exit code, and only if exec fails. */
int wrapper_become_compiler(const struct wrapper *wrapper);

#endif
