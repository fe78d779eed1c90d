/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child process in which the engine works, and the records with which it returns its results:
 * fields that each end with a NUL byte. Parent and child are the same program, so the format needs
 * no version and no escapes.
 */
#ifndef ENGINE_CHILD_H
#define ENGINE_CHILD_H

#include "child-process.h"
#include "engine-module.h"
#include "text-file.h"

#include <stdio.h>

enum child_outcome { CHILD_DONE = 0, CHILD_ENGINE_ERROR = 3, CHILD_WRITE_ERROR = 4 };

/*
 * The work of the child, which writes the record file itself. With CHILD_ENGINE_ERROR, *error is
 * the reason (heap, or NULL if memory ran out).
 */
typedef enum child_outcome engine_work(
    const struct inst_module *engine, void *context, char **error);

/*
 * Runs the work in a child. Returns 0 with the record file in *records, or -1 with a message in
 * *error (heap, or NULL); *records is then empty.
 */
int engine_child_run(struct process_watch *watch, engine_work *work, void *context,
    bool show_stderr, const char *record_path, struct text_file *records, char **error);

/* Writes one field. */
void record_put(FILE *file, const char *text);

/* The fields of a record file that have not been read yet. */
struct record_fields {
	const char *next, *end;
	bool failed; /* they ended early */
};

/* The next field; sets `failed` and returns "" if there is none. */
const char *record_take_text(struct record_fields *fields);
size_t record_take_number(struct record_fields *fields);

#endif
