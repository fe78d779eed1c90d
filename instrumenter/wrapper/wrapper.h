/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrapper door: `ompinst gcc -fopenmp -c file.c`. */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "command.h"
#include "compiler.h"
#include "options.h"
#include "child-process.h"
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

/* Runs the compiler named by vector[0] with the rest, instrumenting; returns the exit code. */
int wrapper_main(const struct options *options, const char *const *vector);

/* Starts a command with the compiler's own words. */
void wrapper_add_compiler(const struct wrapper *wrapper, struct words *words);

/*
 * Runs a command that begins with the compiler's words; very long ones through a response file in
 * the scratch folder. output and error are descriptors, -1 for our own. With --dry-run it is
 * printed instead. Returns as process_run().
 */
int wrapper_run(struct wrapper *wrapper, const struct words *words, int output, int error);

/*
 * What the compiler prints on standard output when it is run with these words behind its own, for
 * questions about itself (heap); NULL when it fails.
 */
char *wrapper_ask(struct wrapper *wrapper, const char *const *words);

/* Runs the user's command unchanged, with the scratch folder empty. Returns as process_run(). */
int wrapper_run_original(struct wrapper *wrapper);

struct compile_result;

/*
 * After the original compiled: tells what there is to tell about an input that is not instrumented.
 * Returns the exit code, which --strict makes 1.
 */
int wrapper_tell_about_original(
    const struct wrapper *wrapper, const char *file, const struct compile_result *result);

/* Removes what was made without instrumentation, which --strict does not let stay. */
void wrapper_discard(const struct wrapper *wrapper, const char *output);

/* Runs the whole original command in place of something that failed for reason; returns its code.
 */
int wrapper_fall_back(struct wrapper *wrapper, const char *file, const char *reason);

#endif
