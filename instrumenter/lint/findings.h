/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of one or more files, each once, without those that comments in the files allow. */
#ifndef LINT_FINDINGS_H
#define LINT_FINDINGS_H

#include "lint-process.h"
#include "text-file.h"

#include <stdbool.h>

struct lint_source;

struct findings {
	struct lint_finding *all; /* in the order of the files; strings are copies */
	size_t count, capacity;
	size_t errors; /* how many of them are errors of the parser */
	struct lint_source *sources;
	bool failed; /* memory ran out */
};

/* Adds the report's findings that no comment allows and that are not known yet. */
void findings_add(struct findings *findings, const struct lint_report *report);

void findings_finish(struct findings *findings);

#endif
