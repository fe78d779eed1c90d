/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found in one or more files: each finding once, without what comments in them allow. */
#ifndef LINT_FINDINGS_H
#define LINT_FINDINGS_H

#include "lint-process.h"
#include "text-file.h"

#include <stdbool.h>

struct lint_source;

struct findings {
	struct lint_finding *all; /* in the order of the files; strings are copies */
	size_t count, capacity;
	size_t errors; /* of these, what the parser holds for an error */
	struct lint_source *sources;
	bool failed; /* memory ran out */
};

/* Adds what a report has and is neither allowed by a comment nor known already. */
void findings_add(struct findings *findings, const struct lint_report *report);

void findings_finish(struct findings *findings);

#endif
