/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of one or more files, each once, without those that comments in the files allow. */
#ifndef LINT_FINDINGS_H
#define LINT_FINDINGS_H

#include "lint-process.h"
#include "patch.h"
#include "text-file.h"

#include <stdbool.h>

struct lint_source;

/* One edit of a finding's remedy, in a file of the patch. */
struct finding_edit {
	size_t file;
	struct patch_edit edit;
};

/* What finding-fixes.h knows of a finding. */
struct finding_fix {
	unsigned units; /* how many translation units have the finding */
	bool differs;   /* two of them have different remedies */
	bool offered;
	struct finding_edit *edits;
	size_t count, capacity;
};

struct findings {
	struct lint_finding *all; /* in the order of the files; strings are copies */
	size_t count, capacity;
	struct finding_fix *fixes; /* of each finding */
	size_t fix_count, fix_capacity;
	unsigned unit; /* the number of units so far */
	size_t errors; /* how many of them are errors of the parser */
	struct lint_source *sources;
	bool failed; /* memory ran out */
};

/*
 * Begins a translation unit: notes which files its preprocessed text has, because a remedy in a
 * header holds only if it holds in each unit.
 */
void findings_begin_unit(struct findings *findings, const struct text_file *text);

/* Have all units that include the finding's file the same remedy for it? */
bool findings_agree(struct findings *findings, size_t number);

/* Adds the report's findings that no comment allows and that are not known yet. */
void findings_add(struct findings *findings, const struct lint_report *report);

void findings_finish(struct findings *findings);

#endif
