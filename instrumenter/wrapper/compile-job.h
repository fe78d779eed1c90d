/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of one input during the steps of compile_input(); private to these steps. */
#ifndef COMPILE_JOB_H
#define COMPILE_JOB_H

#include "compiler-run.h"
#include "text-file.h"

/* The roles of the command's words that each step gets. */
enum {
	EVERY_STEP = ARGUMENT_FLAG | ARGUMENT_OPENMP | ARGUMENT_NO_OPENMP | ARGUMENT_HIDDEN_OPENMP |
		     ARGUMENT_PREPROCESSED | ARGUMENT_LLVM,
	PREPROCESS_STEP = EVERY_STEP | ARGUMENT_PREPROCESS | ARGUMENT_DEPENDENCY |
			  ARGUMENT_DEPENDENCY_FILE | ARGUMENT_DEPENDENCY_TARGET |
			  ARGUMENT_WP_DEPENDENCY | ARGUMENT_WARNING_ERROR,
	COMPILE_STEP = EVERY_STEP | ARGUMENT_MACRO_DEBUG | ARGUMENT_SAVE_TEMPS |
		       ARGUMENT_SIDE_FILES | ARGUMENT_MODULE_OUTPUT,
	/* Compiles the original for its messages only. */
	MESSAGES_STEP = EVERY_STEP | ARGUMENT_PREPROCESS | ARGUMENT_WARNING_ERROR |
			ARGUMENT_MACRO_DEBUG | ARGUMENT_NOT_PREPROCESS | ARGUMENT_SIDE_FILES |
			ARGUMENT_LINK | ARGUMENT_LIBRARY,
	/* Compiles the original with all its output files. */
	PLAIN_STEP = MESSAGES_STEP | ARGUMENT_DEPENDENCY | ARGUMENT_DEPENDENCY_FILE |
		     ARGUMENT_DEPENDENCY_TARGET | ARGUMENT_WP_DEPENDENCY | ARGUMENT_SAVE_TEMPS |
		     ARGUMENT_MODULE_OUTPUT,
};

/* The files and findings of one input during the steps. */
struct job {
	struct wrapper *wrapper;
	const struct command_part *input;
	const char *output;
	size_t number;
	char *preprocessed; /* cc -E's output */
	char *edited;       /* the engine's */
	char *records;
	int messages[2]; /* messages of preprocessing and compiling: files in memory */
	struct text_file text;
	struct words
	    ignored; /* directives that the compiler does not know: see struct inst_input */
	bool cplusplus;
};

/*
 * Reads the user's own text, which may have come from standard input. Returns as text_file_read().
 */
int job_read_input(const struct job *job, struct text_file *text);

/*
 * Removes the temporary files: the next run of the compiler needs none of them, but may need their
 * disk space.
 */
void job_remove_files(struct job *job);

/* Adds the folder of pomp.h, which instrumented source includes, after all other folders. */
void job_add_header(struct words *words);

/* Adds the input as the user named it, with the -x that applied to it. */
void job_add_input(struct words *words, const struct command_part *input);

/*
 * Creates the temporary files' names. Returns 0, or -1 with errno; job_finish() is needed in both
 * cases.
 */
int job_init(struct job *job);

/* Removes the temporary files and frees what the job owns. */
void job_finish(struct job *job);

#endif
