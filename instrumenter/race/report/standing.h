/* SPDX-License-Identifier: BSD-3-Clause */
/* Which findings count as races, and which ones the user has taken out, and how. */
#ifndef RACE_STANDING_H
#define RACE_STANDING_H

#include "baseline.h"
#include "changed-lines.h"
#include "deadlock-words.h"
#include "explanation.h"
#include "race-options.h"

/* What the user has said about races. */
struct race_triage {
	struct baseline baseline; /* without a path: none was given */
	struct suppressions suppressions;
	struct changed_lines changed; /* without a commit: none was given */
};

/* How documents of both kinds hold the races, for baselines. */
extern const struct baseline_form race_baseline_form;

/* Reads the files that the options name. False with *error (heap, or NULL without memory). */
bool race_triage_read(const struct race_options *options, struct race_triage *triage, char **error);

void race_triage_finish(struct race_triage *triage);

/* Names of standings in documents. */
extern const char *const race_standing_names[RACE_STANDING_COUNT];

/* Sets each finding's standing and cause; words: one per finding. */
void race_judge(struct race_sources *sources, const struct race_triage *triage,
    const struct race_words *words, struct race_findings *findings);

/* The same of cycles of locks. */
void race_judge_deadlocks(struct race_sources *sources, const struct race_triage *triage,
    const struct race_deadlock_words *words, struct race_deadlocks *deadlocks);

/* The number of findings with this standing. */
size_t race_standing_count(const struct race_findings *findings, enum race_standing standing);

/* Do documents list the finding? Text lists only what counts. */
bool race_is_documented(const struct race_verdict *verdict, bool all);

/* A comment that allows a race. */
struct race_allowance {
	const char *file;
	int line;
	const char *reason; /* "": none */
};

/*
 * The comments in the program's source files (not in headers) at which nothing was found. The
 * result is the arena's; *count is their number.
 */
const struct race_allowance *race_allowances_unused(struct race_sources *sources,
    struct race_code *code, const char *program, const struct race_findings *findings,
    const struct race_deadlocks *deadlocks, size_t *count);

#endif
