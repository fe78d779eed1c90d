/* SPDX-License-Identifier: BSD-3-Clause */
/* The remedies of findings as edits of the user's files, and whether the edited files pass. */
#ifndef LINT_FINDING_FIXES_H
#define LINT_FINDING_FIXES_H

#include "findings.h"

/*
 * Makes the edits of each finding with one right remedy. Not offered: what the files do not show
 * (macros), what not all units with a header agree on, and edits that exclude each other.
 */
void finding_fixes_make(struct findings *findings, struct patch *patch);

/* The patch becomes the edits of all findings that are offered, or of the one with this number. */
#define FINDING_ALL ((size_t)-1)
void finding_fixes_collect(const struct findings *findings, struct patch *patch, size_t only);

/* How many findings have a remedy that is offered. */
size_t finding_fixes_offered(const struct findings *findings);

#endif
