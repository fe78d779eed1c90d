/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the engine's checks in a child process, like the engine itself: see engine-process.h. */
#ifndef LINT_PROCESS_H
#define LINT_PROCESS_H

#include "child-process.h"
#include "lint.h"
#include "text-file.h"

struct lint_report {
	struct lint_finding *findings; /* strings point into records */
	size_t count, capacity;
	struct text_file records;
};

/*
 * Checks a preprocessed text; record_path is a temporary file. Returns 0, or -1 with a message in
 * *error (heap or NULL); *report is then empty.
 */
int lint_process_run(struct process_watch *watch, const struct inst_input *input, lint_set checks,
    const char *record_path, struct lint_report *report, char **error);

void lint_report_finish(struct lint_report *report);

#endif
