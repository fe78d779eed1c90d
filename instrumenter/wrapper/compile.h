/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles one input of the command: preprocesses, instruments, and compiles the edited text. */
#ifndef COMPILE_H
#define COMPILE_H

#include "compiler-run.h"

enum compile_outcome {
	COMPILE_DONE,     /* the output contains the instrumented code */
	COMPILE_ORIGINAL, /* nothing was written: compile the original */
	COMPILE_FAILED,   /* an error was printed; end with code */
};

struct compile_result {
	enum compile_outcome outcome;
	/*
	 * COMPILE_ORIGINAL: what to report if the original then compiles. If it does not, only the
	 * compiler's own messages matter. Heap, or NULL.
	 */
	char *reason; /* why it is not instrumented */
	char *report; /* about individual constructs */
	int code;     /* COMPILE_FAILED: exit code */
};

/*
 * Compiles an input that can be instrumented into the file output: object or assembly according to
 * the command's mode, an object if the command links. number distinguishes the inputs of a command.
 * With COMPILE_DONE, the user's warnings have been printed. The caller frees reason and report.
 */
struct compile_result compile_input(
    struct wrapper *wrapper, size_t number, const struct command_part *input, const char *output);

/* Compiles an input as the user wrote it: one that cannot be instrumented, or was not. */
int compile_plain(struct wrapper *wrapper, const struct command_part *input, const char *output);

#endif
