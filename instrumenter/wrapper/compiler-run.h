/* SPDX-License-Identifier: BSD-3-Clause */
/* Running the user's compiler, and what the steps of one run of the wrapper share. */
#ifndef COMPILER_RUN_H
#define COMPILER_RUN_H

#include "child-process.h"
#include "command.h"
#include "compiler.h"
#include "options.h"
#include "scratch.h"

/* One run of the wrapper: what its steps share. */
struct wrapper {
	const struct options *options;
	const char *const *arguments; /* the compiler's, as the user wrote them */
	struct compiler compiler;
	struct command command;
	struct process_watch watch;
	struct scratch scratch;
	int input; /* what the user's standard input held, for commands that compile it; else -1 */
};

/* Starts a command with the compiler's own words. */
void wrapper_add_compiler(const struct wrapper *wrapper, struct words *words);

/*
 * Runs a command that begins with the compiler's words; very long ones through a response file in
 * the scratch folder. output and error are descriptors, -1 for those of this process. With
 * --dry-run it is printed instead. Returns as process_run().
 */
int wrapper_run(struct wrapper *wrapper, const struct words *words, int output, int error);

/*
 * What the compiler prints on standard output when it is run with these words behind its own, for
 * questions about itself (heap); NULL when it fails.
 */
char *wrapper_ask(struct wrapper *wrapper, const char *const *words);

/* Runs the user's command unchanged, with the scratch folder empty. Returns as process_run(). */
int wrapper_run_original(struct wrapper *wrapper);

/* Becomes the compiler by exec. Returns only when that fails, with the exit code. */
int wrapper_become_compiler(const struct wrapper *wrapper);

#endif
