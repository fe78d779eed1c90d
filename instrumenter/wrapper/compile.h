/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiling one input of the command: preprocess, instrument, compile the edited text. */
#ifndef COMPILE_H
#define COMPILE_H

#include "compiler-run.h"

enum compile_outcome {
	COMPILE_UNSUPPORTED, /* not instrumentable: assembly, objects and the like */
	COMPILE_DONE,        /* the output holds the instrumented code */
	COMPILE_ORIGINAL,    /* nothing was written: compile the original */
	COMPILE_FAILED,      /* an error was printed; end with code */
};

struct compile_result {
	enum compile_outcome outcome;
	/*
	 * COMPILE_ORIGINAL: what to report if the original then compiles; if it does not, the
	 * compiler's own messages are all that is of interest. Heap, or NULL for nothing.
	 */
	char *reason; /* why there is no instrumentation */
	char *report; /* about the single constructs */
	int code;     /* COMPILE_FAILED: exit code */
};

/*
 * Compiles an input that can be instrumented into the file output (object or assembly as the
 * command's mode says; object when it links). number distinguishes the inputs of a command. When
 * the outcome is COMPILE_DONE, the user's warnings have been printed. The caller frees reason and
 * report.
 */
struct compile_result compile_input(
    struct wrapper *wrapper, size_t number, const struct command_part *input, const char *output);

/* Compiles an input as the user wrote it; for inputs that cannot be instrumented or were not. */
int compile_plain(struct wrapper *wrapper, const struct command_part *input, const char *output);

#endif
