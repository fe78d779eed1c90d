/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of one or more files, each once, without those that comments in the files allow. */
#ifndef LINT_FINDINGS_H
#define LINT_FINDINGS_H

#include "baseline.h"
#include "changed-lines.h"
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

/* How documents of both kinds hold the findings, for baselines. */
extern const struct baseline_form lint_baseline_form;

/* What else is known of a finding. */
struct finding_fix {
	char *fingerprint; /* NULL for errors */
	bool known;        /* from the baseline: it does not count */
	bool unchanged;    /* its lines have not changed: it is not printed */
	unsigned units;    /* how many translation units have the finding */
	bool differs;      /* two of them have different remedies */
	bool offered;
	struct finding_edit *edits;
	size_t count, capacity;
};

struct findings {
	struct lint_finding *all; /* in the order of the files; strings are copies */
	size_t count, capacity;
	struct finding_fix *fixes; /* of each finding */
	size_t fix_count, fix_capacity;
	unsigned unit;                       /* the number of units so far */
	size_t errors;                       /* how many of them are errors of the parser */
	const struct baseline *baseline;     /* or NULL */
	size_t known;                        /* how many of them it has */
	const struct changed_lines *changed; /* or NULL */
	size_t unchanged;                    /* how many of them are in other lines */
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
