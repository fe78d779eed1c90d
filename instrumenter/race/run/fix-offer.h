/* SPDX-License-Identifier: BSD-3-Clause */
/* The remedies of a report's races: found, verified, and offered as a diff or in the files. */
#ifndef RACE_FIX_OFFER_H
#define RACE_FIX_OFFER_H

#include "fix-trial.h"
#include "race-report.h"

struct race_fix_request {
	const struct race_options *options;
	const struct race_findings *findings;
	struct race_words *words; /* of each finding; get the remedies and edits */
	struct inst_arena *arena;
	struct fix_trial trial; /* of --verify, with the remedies that are found */
};

/*
 * Looks at the sources once more for remedies, verifies them if that is asked for, and puts those
 * that are offered among the findings' words, which then say what `ompinst lint` says. False if
 * there can be none; with --fix, a message says why.
 */
bool race_fixes_find(struct race_fix_request *request);

/* The changes that are offered, as a diff (the arena's). */
const char *race_fixes_diff(const struct race_fix_request *request);

/*
 * After the report: prints the diff or writes it to a file, and writes the changed files. True if
 * these now have a change for each race.
 */
bool race_fixes_offer(const struct race_fix_request *request);

#endif
