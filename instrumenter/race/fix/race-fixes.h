/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of the source that fix races which runs have shown: the checks of `ompinst lint` look at
 * the files once more, and take the races for certain.
 */
#ifndef RACE_FIXES_H
#define RACE_FIXES_H

#include "explanation.h"
#include "finding-fixes.h"
#include "lint-command.h"

struct race_fixes {
	struct words command; /* the compiler and its arguments */
	struct compiler compiler;
	size_t compiler_words; /* how many of the command are the compiler */
	struct lint_options options;
	struct lint_run run; /* of the checks; its findings have the remedies */
	struct patch patch;  /* the edits of those that are offered */
	struct lint_witness *witnesses;
	size_t *finding; /* for each race, or RACE_NOT_FIXED */
	size_t race_count;
	bool wanted; /* --fix: the words of races get edits; set it after race_fixes_make() */
};

#define RACE_NOT_FIXED ((size_t)-1)

/*
 * Finds the remedies of the races that count. command: how the program is compiled, as the user
 * wrote it; NULL: each file by cc. Returns 0, or -1 with *error (heap or NULL).
 */
int race_fixes_make(struct race_fixes *fixes, struct process_watch *watch, const char *command,
    const struct race_findings *findings, const struct race_words *words, struct inst_arena *arena,
    char **error);

/*
 * Puts the remedy that the text decides for the race first among its words, and removes those that
 * say something else about the variable. Does nothing if the text does not decide.
 */
void race_fixes_advise(const struct race_fixes *fixes, size_t race, struct inst_arena *arena,
    struct race_words *words);

/* Has the race a remedy that is offered? */
bool race_fixes_has(const struct race_fixes *fixes, size_t race);

/* How many races have a remedy that is offered; with `only`, this remedy. */
size_t race_fixes_count(const struct race_fixes *fixes, size_t only);

void race_fixes_finish(struct race_fixes *fixes);

#endif
