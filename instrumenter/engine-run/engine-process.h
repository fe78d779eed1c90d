/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the engine in a child process. A crash, an endless loop or a lack of memory on an unusual
 * text then only means that this text is not instrumented.
 */
#ifndef ENGINE_PROCESS_H
#define ENGINE_PROCESS_H

#include "engine.h"
#include "child-process.h"
#include "text-file.h"

/* The engine's result for one text. */
struct engine_result {
	size_t edit_count;
	bool written;                      /* see INST_MARK */
	struct inst_construct *constructs; /* strings point into records */
	size_t construct_count, construct_capacity;
	struct text_file records;
};

/*
 * Runs the engine on input and writes the edited text to the file text_path; record_path is a
 * temporary file for the list of constructs. Returns 0, or -1 with a message in *error (heap or
 * NULL); *result is then empty. Free the result with engine_result_finish().
 */
int engine_process_run(struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path, struct engine_result *result, char **error);

void engine_result_finish(struct engine_result *result);

#endif
