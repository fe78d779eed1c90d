/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine in a child process, so that a crash, an endless loop or a lack of memory on some
 * unusual text costs the instrumentation of that text and nothing else.
 */
#ifndef ENGINE_PROCESS_H
#define ENGINE_PROCESS_H

#include "engine.h"
#include "child-process.h"
#include "text-file.h"

/* What the engine did to one text. */
struct engine_result {
	size_t edit_count;
	bool written;                      /* see INST_MARK */
	struct inst_construct *constructs; /* strings point into records */
	size_t construct_count, construct_capacity;
	struct text_file records;
};

/*
 * Runs the engine on input and leaves the edited text in the file text_path; record_path is a
 * temporary file for the list of constructs. Returns 0, or -1 with a message in *error (heap or
 * NULL); *result is then empty. engine_result_finish() frees what it has.
 */
int engine_process_run(struct process_watch *watch, const struct inst_input *input,
    const struct inst_options *options, bool show_stderr, const char *text_path,
    const char *record_path, struct engine_result *result, char **error);

void engine_result_finish(struct engine_result *result);

#endif
